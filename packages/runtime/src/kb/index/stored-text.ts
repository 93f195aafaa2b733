// Names and texts as they are stored.
import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** The same name in the same source is the same document. */
export function documentId(source_id: string, name: string): string {
  return digest(`${source_id}\n${name}`, 20)
}

/** Compressed, with the hash of the text. */
export function packText(text: string): readonly [Uint8Array, string] {
  const bytes = Buffer.from(text, 'utf8')
  return [zstdCompressSync(bytes), createHash('sha256').update(bytes).digest('hex')]
}

export function unpackText(packed: Uint8Array): string {
  return zstdDecompressSync(packed).toString('utf8')
}

export function digest(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length)
}
