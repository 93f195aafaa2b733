import { StorageUnavailable } from '../blobs/blobs.ts'

/** Aborts if the storage has fewer or more bytes than promised: a caller must not wait for the rest, or mistake a part for the whole. */
export async function* exactly(bytes: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of bytes) {
    sent += chunk.byteLength
    if (sent > length) break
    yield chunk
  }
  if (sent !== length) throw new StorageUnavailable(`the storage returned ${sent} of the ${length} bytes of a file`)
}
