// Images in the folder of a conversation, as they were when a message showed them.
import type { FindImage } from '../markdown/image.tsx'

/** Scrolling back does not read the latest ones again. */
const mostKept = 40

/** Read once for each row and path: the file may have changed when a later message shows it. */
export function imageReads(read: (path: string) => Promise<string | null>): FindImage {
  const kept = new Map<string, Promise<string | null>>()
  return async (path, shown_in) => {
    const key = `${shown_in} ${path}`
    const reading = kept.get(key) ?? read(path)
    kept.set(key, reading)
    const oldest = kept.keys().next().value
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    const url = await reading
    // It may be written later.
    if (url === null) kept.delete(key)
    return url
  }
}
