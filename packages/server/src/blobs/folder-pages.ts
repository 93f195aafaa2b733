// The names in a folder of a store that lists by offset only, page by page, while others add and remove names.
import { isKey, isSegment } from './blob-validation.ts'

/** The names from an offset on, at most `limit`; fewer only at the end. */
export type ReadNames = (offset: number, limit: number) => Promise<readonly string[]>

export const pageRows = 1_000
/** For a look at one place; more than one, because a name that is not ours may be there. */
const lookRows = 10

/**
 * The names from `first` on, in order. The offset of `first` is searched in halves, so that a sweep that continues at the end does not read
 * the beginning. A page counts only if it begins with a name that was passed: then no name between was moved to a lower offset by a removal.
 *
 * Only names of our form are compared: they consist of lower-case letters, digits and hyphens at the same places, so every collation sorts
 * them alike. Names of others are passed on.
 */
export async function* namesFrom(first: string, read: ReadNames, rows: number = pageRows): AsyncGenerator<string> {
  let isPassed = (name: string): boolean => name < first
  let at = first === '' ? 0 : await offsetBefore(first, read, rows)
  let isSure = false
  for (;;) {
    const page = await read(at, rows)
    const lowest = page.find(isOurs)
    if (at > 0 && !isSure && (lowest === undefined || !isPassed(lowest))) {
      at = Math.max(0, at - rows)
      continue
    }
    for (const name of page) {
      if (isOurs(name) && isPassed(name)) continue
      yield name
      if (isOurs(name)) isPassed = (other) => other <= name
    }
    if (page.length < rows) return
    const anchor = page.findLastIndex(isOurs)
    // Without a name of ours after its first, a page cannot be compared with the next one.
    isSure = anchor <= 0
    at += isSure ? page.length : anchor
  }
}

/** An offset at or before that of the first name that is not before `first`. */
async function offsetBefore(first: string, read: ReadNames, rows: number): Promise<number> {
  const isBefore = async (offset: number): Promise<boolean> => {
    const name = (await read(offset, lookRows)).find(isOurs)
    return name !== undefined && name < first
  }
  let [low, high] = [0, rows]
  for (; await isBefore(high); high *= 2) low = high
  while (high - low > rows) {
    const middle = Math.floor((low + high) / 2)
    if (await isBefore(middle)) low = middle
    else high = middle
  }
  return low
}

/** Some servers list whole keys instead of folders. */
function isOurs(name: string): boolean {
  return isSegment(name) || isKey(name)
}
