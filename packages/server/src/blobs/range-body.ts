// The body of a response, cut to the requested range if the server did not do so.
import type { ByteRange } from './blobs.ts'
import { storageFailure } from './failure.ts'

/** For 200 and 206. A server may ignore Range and send everything: HTTP allows it, it is only slower. */
export async function* rangedBody(response: Response, range: ByteRange | undefined, doing: string): AsyncGenerator<Uint8Array> {
  if (!response.body) return
  let skip = range && response.status !== 206 ? range.start : 0
  let left = range ? range.end - range.start + 1 : Number.POSITIVE_INFINITY
  try {
    for await (const chunk of response.body) {
      const wanted = chunk.subarray(Math.min(skip, chunk.byteLength), Math.min(skip + left, chunk.byteLength))
      skip = Math.max(0, skip - chunk.byteLength)
      left -= wanted.byteLength
      if (wanted.byteLength > 0) yield wanted
      if (left <= 0) return
    }
  } catch (error) {
    throw storageFailure(doing, error)
  }
}

export function rangeHeader(range: ByteRange | undefined): Record<string, string> {
  return range ? { range: `bytes=${range.start}-${range.end}` } : {}
}

/** An empty blob, or a range past the end of one. */
export async function* emptyBody(): AsyncGenerator<Uint8Array> {
  // Nothing to yield.
}
