// A source on its way into a store: counted, hashed, and aborted if it grows too large.
import { createHash } from 'node:crypto'
import type { StoredBlob } from './blobs.ts'
import { BlobTooLarge, storageFailure } from './failure.ts'

export interface LimitedSource {
  readonly chunks: AsyncIterable<Uint8Array>
  /** After the last chunk. */
  stored(): StoredBlob
  /** An error of the source is thrown unchanged, any other error as StorageUnavailable. */
  failure(doing: string, error: unknown): unknown
}

export function limitSource(source: AsyncIterable<Uint8Array>, maxBytes: number): LimitedSource {
  const hash = createHash('sha256')
  let size = 0
  let fault: { error: unknown } | undefined

  async function* flow(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        size += chunk.byteLength
        if (size > maxBytes) throw new BlobTooLarge(maxBytes)
        hash.update(chunk)
        if (chunk.byteLength > 0) yield chunk
      }
    } catch (error) {
      fault = { error }
      throw error
    }
  }

  return {
    chunks: flow(),
    stored: () => ({ size, sha256: hash.digest('hex') }),
    failure: (doing, error) => (fault ? fault.error : storageFailure(doing, error)),
  }
}
