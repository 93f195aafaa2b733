// A file of the cloud on its way to the disk, counted as it comes.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Throws when it breaks off, or did not arrive as it is there. A file that is in the way is written over only with `w`. */
export async function download(response: Response, path: string, flags: 'w' | 'wx'): Promise<void> {
  const hash = createHash('sha256')
  const counting = new Transform({
    transform(piece: Buffer, _encoding, pass) {
      hash.update(piece)
      pass(null, piece)
    },
  })
  const body = Readable.fromWeb(response.body ?? new ReadableStream())
  await pipeline(body, counting, createWriteStream(path, { flags, mode: 0o600, flush: true }))
  if (response.headers.get('etag') !== `"${hash.digest('hex')}"`) throw new Error('it did not arrive as it is there')
}
