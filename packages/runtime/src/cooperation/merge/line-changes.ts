// What one side changed in a text, as ranges of lines of the common base.
import { diffArrays } from 'diff'

export interface LineChange {
  /** The lines of the base that it replaces: from, up to but not including. */
  readonly from: number
  readonly to: number
  readonly lines: readonly string[]
}

/** Texts that differ in more lines than this are not compared line by line: it would take too long. */
const mostDifferent = 2_000

/** With their ends: a last line without one is another line. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** In the order of the base; between two of them there is at least one line that did not change. */
export function lineChanges(base: readonly string[], side: readonly string[]): readonly LineChange[] {
  const parts = diffArrays([...base], [...side], { maxEditLength: mostDifferent })
  if (parts === undefined) return [{ from: 0, to: base.length, lines: side }]
  const changes: LineChange[] = []
  let at = 0
  let open: { from: number; to: number; lines: string[] } | null = null
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      if (open) changes.push(open)
      open = null
      at += value.length
      continue
    }
    open ??= { from: at, to: at, lines: [] }
    if (added) open.lines.push(...value)
    else {
      at += value.length
      open.to = at
    }
  }
  if (open) changes.push(open)
  return joined(changes.map((change, index) => slidDown(base, change, changes[index + 1]?.from ?? base.length)))
}

/**
 * Where equal lines follow each other, it is not clear which of them was added or removed. Both sides must decide it in the same way, or
 * the same change would be two: the last possible place, as git does.
 */
function slidDown(base: readonly string[], change: LineChange, limit: number): LineChange {
  const { from, to, lines } = change
  const moved = from === to ? lines : base.slice(from, to)
  if (from < to && lines.length > 0) return change
  let by = 0
  while (to + by < limit && base[to + by] === (moved[by % moved.length] as string)) by += 1
  const turned = by % moved.length
  return { from: from + by, to: to + by, lines: lines.length === 0 ? lines : [...lines.slice(turned), ...lines.slice(0, turned)] }
}

/** Changes that touch after they were moved are one. */
function joined(changes: readonly LineChange[]): readonly LineChange[] {
  const all: LineChange[] = []
  for (const change of changes) {
    const last = all.at(-1)
    if (last && last.to >= change.from) all[all.length - 1] = { from: last.from, to: change.to, lines: [...last.lines, ...change.lines] }
    else all.push(change)
  }
  return all
}
