// The inline elements of Markdown. Images are never loaded: they are shown as their text and address.

export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly spans: readonly Span[] }
  /** `address` is null if the scheme must not be linked; the text then contains all of it. */
  | { readonly kind: 'link'; readonly text: string; readonly address: string | null }

const pattern =
  /(?<tick>`+)(?<code>[^`]|[^`][\s\S]*?[^`])\k<tick>(?!`)|!?\[(?<label>[^\]\n]{0,500})\]\((?<target>[^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?:\s+"[^"\n]{0,200}")?\)|\*\*(?=\S)(?<strong>[^\n]*?\S)\*\*|(?<![\w*])\*(?=[^\s*])(?<star>[^*\n]*?[^\s*])\*(?!\w)|(?<!\w)_(?=\S)(?<line>[^_\n]*?\S)_(?!\w)|~~(?=\S)(?<deleted>[^\n]*?\S)~~|(?<bare>https?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]}])|\\(?<plain>[!-/:-@[-`{-~])/g

const deepest = 4

export function parseSpans(text: string, depth = 0): readonly Span[] {
  if (depth > deepest) return [{ kind: 'text', text }]
  const spans: Span[] = []
  let at = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > at) spans.push({ kind: 'text', text: text.slice(at, match.index) })
    spans.push(spanOf(match.groups ?? {}, match[0], depth))
    at = match.index + match[0].length
  }
  if (at < text.length) spans.push({ kind: 'text', text: text.slice(at) })
  return spans
}

function spanOf(found: Record<string, string | undefined>, whole: string, depth: number): Span {
  const { code, label, target, strong, star, line, deleted, bare, plain } = found
  if (code !== undefined) return { kind: 'code', text: code.trim() || code }
  if (target !== undefined) return link(label ?? '', target, whole)
  if (strong !== undefined) return { kind: 'strong', spans: parseSpans(strong, depth + 1) }
  if (deleted !== undefined) return { kind: 'deleted', spans: parseSpans(deleted, depth + 1) }
  if (bare !== undefined) return { kind: 'link', text: bare, address: bare }
  if (plain !== undefined) return { kind: 'text', text: plain }
  return { kind: 'emphasis', spans: parseSpans(star ?? line ?? '', depth + 1) }
}

function link(label: string, target: string, whole: string): Span {
  const isPicture = whole.startsWith('!')
  const followed = /^https?:\/\//i.test(target) && !isPicture
  return followed ? { kind: 'link', text: label || target, address: target } : { kind: 'link', text: `${label} (${target})`, address: null }
}
