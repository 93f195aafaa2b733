// The contents that a merge reads and writes, by their hashes.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SideContents } from './merge-sides.ts'
import type { ReadFolder } from './read-folder.ts'
import { mostTextBytes, type TextContent, textBytes, textContent } from './text-content.ts'

export type ContentSource = { readonly from: 'file'; readonly file: string } | { readonly from: 'bytes'; readonly bytes: Buffer }

export class MergeContents implements SideContents {
  readonly #files = new Map<string, { readonly folder: ReadFolder; readonly path: string }>()
  readonly #bytes = new Map<string, Buffer>()
  readonly authorOf: (path: string) => string | null

  constructor(authorOf: (path: string) => string | null) {
    this.authorOf = authorOf
  }

  addFile(sha256: string, folder: ReadFolder, path: string): void {
    if (!this.#files.has(sha256)) this.#files.set(sha256, { folder, path })
  }

  addBytes(content: Uint8Array): string {
    const bytes = Buffer.from(content)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.#bytes.set(sha256, bytes)
    return sha256
  }

  async add(content: TextContent): Promise<string> {
    return this.addBytes(await textBytes(content))
  }

  async text(sha256: string): Promise<TextContent | null> {
    const known = this.#bytes.get(sha256)
    if (known) return await textContent(known)
    const file = this.#files.get(sha256)
    const bytes = file ? await file.folder.read(file.path, mostTextBytes) : null
    return bytes && (await textContent(bytes))
  }

  /** Throws if the merge has no such content, which is a bug. */
  source(sha256: string): ContentSource {
    const bytes = this.#bytes.get(sha256)
    if (bytes) return { from: 'bytes', bytes }
    const file = this.#files.get(sha256)
    if (!file) throw new Error(`the merge has no content ${sha256}`)
    return { from: 'file', file: join(file.folder.root, file.path) }
  }
}
