// The inline elements of Markdown.
import { citationsIn } from '@tandem/contract/knowledge'

export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly spans: readonly Span[] }
  /** `address` is null if the scheme must not be linked; the text then contains all of it. */
  | { readonly kind: 'link'; readonly text: string; readonly address: string | null }
  | { readonly kind: 'image'; readonly text: string; readonly target: string }
  | { readonly kind: 'citation'; readonly text: string }
  | { readonly kind: 'math'; readonly text: string }
  | { readonly kind: 'footnote'; readonly label: string }

const pattern =
  /(?<tick>`+)(?<code>[^`]|[^`][\s\S]*?[^`])\k<tick>(?!`)|\\\((?<round>[^\n]{1,1000}?)\\\)|(?<![\\$\w])\$(?=[^\s$])(?<math>[^$\n]{0,999}?[^\s$\\])\$(?![\w$])|\[\^(?<note>[\w-]{1,40})\](?!:)|!?\[(?<label>[^\]\n]{0,500})\]\((?<target>[^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?:\s+"[^"\n]{0,200}")?\)|\*\*(?=\S)(?<strong>[^\n]*?\S)\*\*|(?<![\w*])\*(?=[^\s*])(?<star>[^*\n]*?[^\s*])\*(?!\w)|(?<!\w)_(?=\S)(?<line>[^_\n]*?\S)_(?!\w)|~~(?=\S)(?<deleted>[^\n]*?\S)~~|(?<bare>https?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]}])|\\(?<plain>[!-/:-@[-`{-~])/g

const deepest = 4

const none: ReadonlySet<string> = new Set()

/** `cited`: which texts in brackets are citations. */
export function parseSpans(text: string, cited = none, depth = 0): readonly Span[] {
  if (depth > deepest) return [{ kind: 'text', text }]
  const citations = cited.size === 0 ? [] : citationsIn(text).filter(({ citation }) => cited.has(citation))
  const spans: Span[] = []
  let at = 0
  const add = (from: number, to: number, span: Span) => {
    if (from > at) spans.push({ kind: 'text', text: text.slice(at, from) })
    spans.push(span)
    at = to
  }
  let match = matchFrom(text, 0)
  while (match || citations.length > 0) {
    const [citation] = citations
    if (citation && citation.from < at) citations.shift()
    else if (match && match.index < at) match = matchFrom(text, at)
    // Its name may contain what means something else in Markdown. With an address after it, it is a link.
    else if (citation && citation.from < (match?.index ?? text.length))
      add(citation.from, citation.to, { kind: 'citation', text: citation.citation })
    else if (match) add(match.index, match.index + match[0].length, spanOf(match.groups ?? {}, match[0], cited, depth))
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) })
  return spans
}

function matchFrom(text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function spanOf(found: Record<string, string | undefined>, whole: string, cited: ReadonlySet<string>, depth: number): Span {
  const { code, round, math, note, label, target, strong, star, line, deleted, bare, plain } = found
  if (code !== undefined) return { kind: 'code', text: code.trim() || code }
  if (round !== undefined || math !== undefined) return { kind: 'math', text: (round ?? math ?? '').trim() }
  if (note !== undefined) return { kind: 'footnote', label: note }
  if (target !== undefined) return link(label ?? '', target, whole)
  if (strong !== undefined) return { kind: 'strong', spans: parseSpans(strong, cited, depth + 1) }
  if (deleted !== undefined) return { kind: 'deleted', spans: parseSpans(deleted, cited, depth + 1) }
  if (bare !== undefined) return { kind: 'link', text: bare, address: bare }
  if (plain !== undefined) return { kind: 'text', text: plain }
  return { kind: 'emphasis', spans: parseSpans(star ?? line ?? '', cited, depth + 1) }
}

function link(label: string, target: string, whole: string): Span {
  if (whole.startsWith('!')) return { kind: 'image', text: label, target }
  const followed = /^https?:\/\//i.test(target)
  return followed ? { kind: 'link', text: label || target, address: target } : { kind: 'link', text: `${label} (${target})`, address: null }
}
