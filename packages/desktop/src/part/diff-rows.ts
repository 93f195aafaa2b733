// A unified diff as rows with the line numbers of both sides, unified or side by side. Pure.

export interface DiffLine {
  readonly number: number
  readonly text: string
}

/** `gap`: unchanged lines are left out here. `note`: what the diff says about the previous line, such as a missing newline at its end. */
export type DiffRow =
  | { readonly kind: 'gap' }
  | { readonly kind: 'same'; readonly left: DiffLine; readonly right: DiffLine }
  | { readonly kind: 'removed'; readonly left: DiffLine }
  | { readonly kind: 'added'; readonly right: DiffLine }
  | { readonly kind: 'note'; readonly text: string }

/** The lines before the first hunk are file names. After it every line counts: `--- a` can be a removed line. */
export function diffRows(diff: string): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let [left, right, isInside] = [0, 0, false]
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      ;[left, right] = [Number(from), Number(to)]
      if (isInside || left > 1) rows.push({ kind: 'gap' })
      isInside = true
    } else if (!isInside) continue
    else if (line.startsWith('+')) rows.push({ kind: 'added', right: { number: right++, text: line.slice(1) } })
    else if (line.startsWith('-')) rows.push({ kind: 'removed', left: { number: left++, text: line.slice(1) } })
    else if (line.startsWith('\\')) rows.push({ kind: 'note', text: line.slice(1).trim() })
    else {
      const text = line.slice(1)
      rows.push({ kind: 'same', left: { number: left++, text }, right: { number: right++, text } })
    }
  }
  return rows
}

export interface PairedRow {
  readonly left: DiffLine | null
  readonly right: DiffLine | null
  readonly changed: boolean
}

/** Side by side: removed lines are next to the lines that replace them. Gaps and notes keep their position. */
export function pairedRows(rows: readonly DiffRow[]): readonly (PairedRow | Extract<DiffRow, { kind: 'gap' | 'note' }>)[] {
  const paired: (PairedRow | Extract<DiffRow, { kind: 'gap' | 'note' }>)[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const settle = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      paired.push({ left: removed[at] ?? null, right: added[at] ?? null, changed: true })
    removed = []
    added = []
  }
  for (const row of rows) {
    if (row.kind === 'removed') {
      if (added.length > 0) settle()
      removed.push(row.left)
    } else if (row.kind === 'added') added.push(row.right)
    else {
      settle()
      paired.push(row.kind === 'same' ? { left: row.left, right: row.right, changed: false } : row)
    }
  }
  settle()
  return paired
}
