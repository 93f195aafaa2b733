// The blobs port: the bytes of files. Their names, owners and sizes are stored in the database.
import { validateBlobCalls } from './blob-validation.ts'
import { StorageUnavailable } from './failure.ts'
import { type FolderTarget, openFolder } from './folder.ts'
import { openS3, type S3Target } from './s3.ts'
import { openSupabase, type SupabaseTarget } from './supabase.ts'

export interface Blobs {
  readonly kind: 'folder' | 's3' | 'supabase'
  /** Streams `source` in; visible under `key` only when complete. Rejects with BlobTooLarge after maxBytes (and leaves nothing behind). */
  put(key: string, source: AsyncIterable<Uint8Array>, options: PutOptions): Promise<StoredBlob>
  /** Undefined if missing. `end` is inclusive, as in HTTP; a range is cut at the end of the blob, so it may be empty. */
  get(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Succeeds if it is missing. */
  delete(key: string): Promise<void>
  /** In the order of keys, those after `after`. `prefix` is '' or one user's `<user_id>/`. */
  list(prefix: string, after?: string): AsyncIterable<string>
  ping(): Promise<void>
}

interface PutOptions {
  readonly maxBytes: number
  readonly mediaType: string
}

export interface StoredBlob {
  size: number
  sha256: string
}

export interface ByteRange {
  readonly start: number
  readonly end: number
}

export type BlobsTarget = FolderTarget | S3Target | SupabaseTarget

/** Creates what is missing (a folder, a bucket). Rejects with StorageUnavailable if that fails or times out. */
export async function openBlobs(target: BlobsTarget, log: (line: string) => void, withinMs = 8_000): Promise<Blobs> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new StorageUnavailable(`${target.kind}: not open within ${withinMs} ms`)), withinMs)
  return validateBlobCalls(await Promise.race([open(target, log), late.promise]).finally(() => clearTimeout(timer)))
}

function open(target: BlobsTarget, log: (line: string) => void): Promise<Blobs> {
  switch (target.kind) {
    case 'folder':
      return openFolder(target, log)
    case 's3':
      return openS3(target, log)
    case 'supabase':
      return openSupabase(target)
  }
}

export { BlobTooLarge, StorageUnavailable } from './failure.ts'
