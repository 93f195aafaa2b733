// Exact replacements in a text. Pure: all of them are applied, or the first failure is returned and nothing is changed.
// Lines are compared without their line endings; unchanged lines keep their endings byte for byte.

export interface Edit {
  readonly old_text: string
  readonly new_text: string
  /** Default `only`: the text must occur exactly once. A number counts from 1. */
  readonly occurrence?: 'only' | 'all' | number
}

export type EditResult =
  | { readonly is: 'done'; readonly text: string; readonly replaced: readonly number[] }
  | { readonly is: 'empty_old_text' | 'no_change' | 'no_match'; readonly edit: number; readonly text: string }
  | { readonly is: 'ambiguous_match'; readonly edit: number; readonly lines: readonly number[]; readonly count: number }
  | { readonly is: 'no_such_occurrence'; readonly edit: number; readonly count: number }

/** Matches of an ambiguous text are counted up to this number. */
export const mostCountedMatches = 100

/** Each edit is applied to the result of the previous ones. `text` of a failure is the text that the failed edit was applied to. */
export function applyEdits(text: string, edits: readonly Edit[]): EditResult {
  let now = text
  const replaced: number[] = []
  for (const [index, edit] of edits.entries()) {
    const result = applyEdit(now, edit, index + 1)
    if (result.is !== 'done') return result
    now = result.text
    replaced.push(...result.replaced)
  }
  return { is: 'done', text: now, replaced }
}

function applyEdit(text: string, { old_text, new_text, occurrence = 'only' }: Edit, edit: number): EditResult {
  const old = withLf(old_text)
  const next = withLf(new_text)
  if (old === '') return { is: 'empty_old_text', edit, text }
  if (old === next) return { is: 'no_change', edit, text }
  const plain = withLf(text)
  const found = findAll(plain, old)
  if (found.length === 0) return { is: 'no_match', edit, text }
  if (occurrence === 'only') {
    // "aa" occurs at two positions in "aaa", although only one could be replaced.
    const overlapping = findAll(plain, old, 1, mostCountedMatches)
    if (overlapping.length > 1) {
      return { is: 'ambiguous_match', edit, lines: linesAt(plain, overlapping.slice(0, 10)), count: overlapping.length }
    }
  }
  if (typeof occurrence === 'number' && occurrence > found.length) return { is: 'no_such_occurrence', edit, count: found.length }
  const chosen = typeof occurrence === 'number' ? found.slice(occurrence - 1, occurrence) : found
  return { is: 'done', text: splice(text, plain, chosen, old.length, next), replaced: [chosen.length] }
}

export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function findAll(text: string, part: string, step = part.length, most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = []
  for (let at = text.indexOf(part); at >= 0 && found.length < most; at = text.indexOf(part, at + step)) found.push(at)
  return found
}

export function linesAt(text: string, positions: readonly number[]): number[] {
  let line = 1
  let from = 0
  return positions.map((position) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) {
      line++
      from = at + 1
    }
    return line
  })
}

/** Inserts `next` into the original text at positions of the normalized text. */
function splice(text: string, plain: string, places: readonly number[], length: number, next: string): string {
  const returns = text.length === plain.length ? [] : returnsIn(text)
  const real = (position: number) => position + countBelow(returns, position)
  const mostlyCrlf = returns.length * 2 > plain.split('\n').length - 1
  const parts: string[] = []
  let from = 0
  for (const place of places) {
    const firstBreak = plain.indexOf('\n', place)
    const inside = firstBreak >= 0 && firstBreak < place + length
    const crlf = inside ? text[real(firstBreak)] === '\r' : mostlyCrlf
    parts.push(text.slice(from, real(place)), crlf ? next.replaceAll('\n', '\r\n') : next)
    from = real(place + length)
  }
  parts.push(text.slice(from))
  return parts.join('')
}

/** The positions in the normalized text where a line break was two characters. */
function returnsIn(text: string): number[] {
  return findAll(text, '\r\n').map((position, index) => position - index)
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
