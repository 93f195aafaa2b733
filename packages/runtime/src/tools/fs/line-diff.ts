// A change as a unified diff of limited size.

export interface LineDiff {
  /** Empty if nothing changed, or if the change is too large to be shown. */
  readonly diff: string
  readonly truncated: boolean
  readonly lines_added: number | null
  readonly lines_removed: number | null
}

const mostCharacters = 16_000
/** With more edits, the search for the shortest diff costs too much. */
const mostEdits = 2_000
const mostMilliseconds = 1_000
const mostText = 4 * 1024 * 1024

export async function lineDiff(path: string, before: string, after: string, most = mostCharacters): Promise<LineDiff> {
  if (before === after) return { diff: '', truncated: false, lines_added: 0, lines_removed: 0 }
  if (before.length + after.length > mostText) return tooWide
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import('diff')
  const patch = structuredPatch(path, path, before, after, '', '', { context: 3, maxEditLength: mostEdits, timeout: mostMilliseconds })
  if (!patch) return before === '' ? additions(path, after, most) : tooWide
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  return {
    ...bounded(formatPatch(patch, FILE_HEADERS_ONLY), most),
    lines_added: lines.filter((line) => line.startsWith('+')).length,
    lines_removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

/** A new file needs no search, however long it is. */
function additions(path: string, after: string, most: number): LineDiff {
  const lines = after.replace(/\n$/, '').split('\n')
  const text = `--- ${path}\n+++ ${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`
  return { ...bounded(text, most), lines_added: lines.length, lines_removed: 0 }
}

function bounded(text: string, most: number): Pick<LineDiff, 'diff' | 'truncated'> {
  const cut = text.length > most ? text.lastIndexOf('\n', most) : text.length
  return { diff: text.slice(0, cut < 0 ? most : cut), truncated: text.length > most }
}

const tooWide: LineDiff = { diff: '', truncated: true, lines_added: null, lines_removed: null }
