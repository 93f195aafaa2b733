// What is in a file, as a digest. It is only compared: nothing of the file is shown to anyone.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const mebibyte = 1024 * 1024
const largest = 64 * mebibyte

/** Of what is no regular file, or is not there, the kind of trouble: running it will say more. */
export async function fileDigest(path: string): Promise<string> {
  try {
    // Opening a pipe would wait for whoever writes it.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const { size, mtimeNs, ino } = await file.stat({ bigint: true })
    if (!(await file.stat()).isFile()) return 'not a file'
    if (size > largest) return `large ${ino} ${size} ${mtimeNs}`
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    return `unread ${error instanceof Error && 'code' in error ? error.code : 'unknown'}`
  }
}
