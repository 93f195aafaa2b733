// The inline elements of Markdown.
import { citationsIn } from '@tandem/contract/knowledge'
import { type Mark, markAt, markBeginning } from './mark.ts'
import { placesIn } from './places.ts'

export type Span =
  | Exclude<Mark, { readonly inside: string }>
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly spans: readonly Span[] }
  | { readonly kind: 'citation'; readonly text: string }

const deepest = 4

const none: ReadonlySet<string> = new Set()

/** `cited`: which texts in brackets are citations. */
export function parseSpans(text: string, cited = none, depth = 0): readonly Span[] {
  if (depth > deepest) return [{ kind: 'text', text }]
  const places = placesIn(text)
  const spans: Span[] = []
  let at = 0
  const add = (from: number, to: number, span: Span) => {
    if (from > at) spans.push({ kind: 'text', text: text.slice(at, from) })
    spans.push(span)
    at = to
  }
  const readTo = (last: number) => {
    let from = places.next(markBeginning, at)
    while (from <= last && from < text.length) {
      const found = markAt(places, from)
      if (found?.mark) add(from, found.end, spanOf(found.mark, cited, depth))
      from = places.next(markBeginning, found?.end ?? from + 1)
    }
  }
  const citations = cited.size === 0 ? [] : citationsIn(text).filter(({ citation }) => cited.has(citation))
  for (const { from, to, citation } of citations) {
    // Up to its bracket: its name may contain what means something else in Markdown. With an address after it, it is a link.
    if (from >= at) readTo(from)
    if (from >= at) add(from, to, { kind: 'citation', text: citation })
  }
  readTo(text.length)
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) })
  return spans
}

function spanOf(mark: Mark, cited: ReadonlySet<string>, depth: number): Span {
  return 'inside' in mark ? { kind: mark.kind, spans: parseSpans(mark.inside, cited, depth + 1) } : mark
}
