// Storage of `@supabase/lite` on our own folder store.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { App } from '@supabase/lite'
import { openFolder } from '../../src/blobs/folder.ts'

type StorageAdapter = NonNullable<App['_storageAdapter']>

/** Its own adapter keeps whole files in memory and leaks their handles; this one streams into our folder store. */
export async function streamingAdapter(folder: string): Promise<StorageAdapter> {
  const blobs = await openFolder({ kind: 'folder', folder }, () => undefined)
  const metadata = async (key: string) => {
    const { size, mtime } = await stat(join(folder, key))
    return {
      cacheControl: 'no-cache',
      contentLength: size,
      size,
      mimetype: 'application/octet-stream',
      lastModified: mtime,
      eTag: `"${mtime.getTime()}"`,
    }
  }
  return {
    driver: undefined,
    async getObject(_bucket, key) {
      const body = await blobs.get(key)
      return { httpStatusCode: 200, metadata: await metadata(key), ...(body ? { body: ReadableStream.from(body) } : {}) }
    },
    async uploadObject(_bucket, key, _version, body, mediaType) {
      await blobs.put(key, chunksOf(body), { maxBytes: Number.POSITIVE_INFINITY, mediaType })
      return metadata(key)
    },
    deleteObject: (_bucket, key) => blobs.delete(key),
    async deleteObjects(_bucket, keys) {
      for (const key of keys) await blobs.delete(key)
    },
    headObject: (_bucket, key) => metadata(key),
    async copyObject() {
      throw new Error('no test copies')
    },
    async privateAssetUrl() {
      throw new Error('no test transforms')
    },
  }
}

async function* chunksOf(body: Parameters<StorageAdapter['uploadObject']>[3]): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else yield* Readable.from(body)
}
