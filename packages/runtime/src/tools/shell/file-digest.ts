// A digest of a file. It is only compared: its content is not shown.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const mebibyte = 1024 * 1024
const largest = 64 * mebibyte

/** For a path that is missing or not a regular file, a description of the problem: running it will report more. */
export async function fileDigest(path: string): Promise<string> {
  try {
    // Opening a pipe would wait for its writer.
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
