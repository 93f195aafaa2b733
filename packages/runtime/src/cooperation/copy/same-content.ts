import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

const chunk = 256 * 1024

/** Whether two regular files have the same bytes; false if one of them cannot be read. Links are not followed. */
export function isSameContent(left: string, right: string): boolean {
  const [one, other] = [opened(left), opened(right)]
  try {
    if (one === null || other === null || fstatSync(one).size !== fstatSync(other).size) return false
    const [first, second] = [Buffer.allocUnsafe(chunk), Buffer.allocUnsafe(chunk)]
    for (let at = 0; ; ) {
      const [read, also] = [readSync(one, first, 0, chunk, at), readSync(other, second, 0, chunk, at)]
      if (read !== also || !first.subarray(0, read).equals(second.subarray(0, also))) return false
      if (read === 0) return true
      at += read
    }
  } finally {
    for (const descriptor of [one, other]) if (descriptor !== null) closeSync(descriptor)
  }
}

function opened(path: string): number | null {
  try {
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    if (fstatSync(descriptor).isFile()) return descriptor
    closeSync(descriptor)
    return null
  } catch {
    // It does not exist, or may not be read: its content is not known.
    return null
  }
}
