// Downloads a file of the cloud to disk, and counts its bytes.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Throws if it is interrupted, or differs from the file in the cloud. An existing file is overwritten only with `w`. */
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
  if (response.headers.get('etag') !== `"${hash.digest('hex')}"`) throw new Error('it differs from the file in the account')
}
