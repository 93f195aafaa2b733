// The paths that members of a team may write at the same time. A claim is a path relative to the workspace, and covers everything below it.

export interface Claim {
  readonly run_id: string
  readonly paths: readonly string[]
}

/** `.` is the whole workspace. */
function isBelow(path: string, claimed: string): boolean {
  return claimed === '.' || path === claimed || path.startsWith(`${claimed}/`)
}

export function mayWrite(path: string, claimed: readonly string[]): boolean {
  return claimed.some((one) => isBelow(path, one))
}

export interface Overlap {
  readonly run_id: string
  readonly path: string
  readonly theirs: string
}

/** The first claim of a running member that overlaps; null if none does. */
export function overlapOf(paths: readonly string[], running: readonly Claim[]): Overlap | null {
  for (const { run_id, paths: taken } of running)
    for (const path of paths) for (const theirs of taken) if (isOneBelow(path, theirs)) return { run_id, path, theirs }
  return null
}

/** Some file systems take names for the same that differ only in case or in how a letter is encoded. */
function isOneBelow(one: string, other: string): boolean {
  const [left, right] = [one, other].map((path) => path.normalize('NFC').toLowerCase()) as [string, string]
  return isBelow(left, right) || isBelow(right, left)
}

/** As a claim is kept; null if it leads out of the workspace. */
export function claimedPath(given: string): string | null {
  const parts: string[] = []
  if (given.startsWith('/') || given.includes('\0') || given.includes('\\')) return null
  for (const part of given.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else parts.push(part)
  }
  return parts.length === 0 ? '.' : parts.join('/')
}
