// What changed between two versions of a text, as a unified diff.
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'

/** With more edits, the search for the shortest diff takes too long. */
const limits = { context: 3, maxEditLength: 2_000, timeout: 1_000 }

/** Null if nearly everything differs; empty if nothing does. */
export function versionDiff(before: string, after: string): string | null {
  if (before === after) return ''
  const patch = structuredPatch('', '', before, after, '', '', limits)
  return patch ? formatPatch(patch, FILE_HEADERS_ONLY) : null
}
