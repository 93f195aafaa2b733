// The inline marks of Markdown. Each is read at its first character; where it ends, `Places` knows without reading the text again.
import type { Places } from './places.ts'

export type Mark =
  | { readonly kind: 'code' | 'math' | 'text'; readonly text: string }
  /** `address` is null if the scheme must not be linked; the text then contains all of it. */
  | { readonly kind: 'link'; readonly text: string; readonly address: string | null }
  | { readonly kind: 'image'; readonly text: string; readonly target: string }
  | { readonly kind: 'footnote'; readonly label: string }
  /** What they enclose may contain other marks. */
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly inside: string }

export interface MarkRange {
  readonly end: number
  /** Null if all of it is text. */
  readonly mark: Mark | null
}

type Reader = (places: Places, at: number) => MarkRange | null

/** Where a mark may begin. */
export const markBeginning = /[`\\$![*_~]|https?:\/\//g

const readers: Readonly<Record<string, readonly Reader[]>> = {
  '`': [readCode],
  '\\': [readRound, readSquare, readEscape],
  $: [readDoubleDollar, readDollar],
  '!': [readLink],
  '[': [readFootnote, readLink],
  '*': [enclosed('strong', '**', /(?<=\S)\*\*/g), enclosed('emphasis', '*', /\*/g)],
  _: [enclosed('emphasis', '_', /_/g)],
  '~': [enclosed('deleted', '~~', /(?<=\S)~~/g)],
  h: [readAddress],
}

/** The mark that begins at this character; null if it is text. */
export function markAt(places: Places, at: number): MarkRange | null {
  for (const read of readers[places.text[at] ?? ''] ?? []) {
    const found = read(places, at)
    if (found) return found
  }
  return null
}

function readCode(places: Places, at: number): MarkRange {
  const length = matchAt(places, /`+/y, at)?.[0].length ?? 1
  const close = places.nextRun(length, at + length)
  if (close === places.text.length) return { end: at + length, mark: null }
  const code = places.text.slice(at + length, close)
  return { end: close + length, mark: { kind: 'code', text: code.trim() || code } }
}

const longestFormula = 1_000
const closingRound = /\\\)/g
const closingSquare = /\\\]/g
const closingDollars = /\$\$/g
const closingDollar = /\$/g

function readRound(places: Places, at: number): MarkRange | null {
  if (places.text[at + 1] !== '(') return null
  const close = places.next(closingRound, at + 2)
  return isInOneLine(places, at, close) ? formula(places, at + 2, close, close + 2) : null
}

/** Pages escape their brackets like this, as in `\[edit\]`: without a space, an operator or a command, it is text. */
function readSquare(places: Places, at: number): MarkRange | null {
  if (places.text[at + 1] !== '[') return null
  const close = places.next(closingSquare, at + 2)
  const found = formula(places, at + 2, close, close + 2)
  return found && /^\s|[=^]|\\[a-z]/i.test(places.text.slice(at + 2, close)) ? found : null
}

function readDoubleDollar(places: Places, at: number): MarkRange | null {
  if (!places.text.startsWith('$$', at)) return null
  const close = places.next(closingDollars, at + 2)
  return isBetweenWords(places, at, close + 2) ? formula(places, at + 2, close, close + 2) : null
}

function readDollar(places: Places, at: number): MarkRange | null {
  const close = places.next(closingDollar, at + 1)
  const isTight = /\S/.test(places.text[at + 1] ?? '') && /[^\s\\]/.test(places.text[close - 1] ?? '')
  return isTight && isInOneLine(places, at, close) && isBetweenWords(places, at, close + 1)
    ? formula(places, at + 1, close, close + 1)
    : null
}

/** Prices, variables and process ids are not formulas. */
function isBetweenWords({ text }: Places, begin: number, end: number): boolean {
  return !/[\\$\w]/.test(text[begin - 1] ?? '') && !/[\w$]/.test(text[end] ?? '')
}

function formula({ text }: Places, from: number, to: number, end: number): MarkRange | null {
  if (to >= text.length || to - from > longestFormula) return null
  const inside = text.slice(from, to).trim()
  return inside === '' ? null : { end, mark: { kind: 'math', text: inside } }
}

function readEscape(places: Places, at: number): MarkRange | null {
  const [whole, plain] = matchAt(places, /\\([!-/:-@[-`{-~])/y, at) ?? []
  return whole === undefined || plain === undefined ? null : { end: at + whole.length, mark: { kind: 'text', text: plain } }
}

function readFootnote(places: Places, at: number): MarkRange | null {
  const [whole, label] = matchAt(places, /\[\^([\w-]{1,40})\](?!:)/y, at) ?? []
  return whole === undefined || label === undefined ? null : { end: at + whole.length, mark: { kind: 'footnote', label } }
}

const bracket = /[[\]]/g
const target = /\(([^()\s]{1,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,500})?)(?:\s+"[^"\n]{0,200}")?\)/y
const longestLabel = 500

function readLink(places: Places, at: number): MarkRange | null {
  const { text } = places
  const isImage = text[at] === '!'
  const from = isImage ? at + 2 : at + 1
  if (text[from - 1] !== '[') return null
  const close = places.next(bracket, from)
  if (text[close] !== ']' || close - from > longestLabel || !isInOneLine(places, at, close)) return null
  const [whole, address] = matchAt(places, target, close + 1) ?? []
  if (whole === undefined || address === undefined) return null
  return { end: close + 1 + whole.length, mark: linkTo(text.slice(from, close), address, isImage) }
}

function linkTo(label: string, address: string, isImage: boolean): Mark {
  if (isImage) return { kind: 'image', text: label, target: address }
  if (/^https?:\/\//i.test(address)) return { kind: 'link', text: label || address, address }
  return { kind: 'link', text: `${label} (${address})`, address: null }
}

function readAddress(places: Places, at: number): MarkRange | null {
  const [text] = matchAt(places, /https?:\/\/[^\s<>"'`]{1,2000}[^\s<>"'`.,;:!?)\]}]/y, at) ?? []
  return text === undefined ? null : { end: at + text.length, mark: { kind: 'link', text, address: text } }
}

/** A single mark within a word is text, as in `snake_case`. */
function enclosed(kind: 'strong' | 'emphasis' | 'deleted', mark: string, closing: RegExp): Reader {
  const isSingle = mark.length === 1
  return (places, at) => {
    const { text } = places
    const from = at + mark.length
    if (!text.startsWith(mark, at) || !/\S/.test(text[from] ?? '')) return null
    const close = places.next(closing, isSingle ? from : from + 1)
    if (close === from || !isInOneLine(places, at, close)) return null
    const end = close + mark.length
    if (isSingle) {
      const isInWord = /\w/.test(text[at - 1] ?? '') || text[at - 1] === mark || /\w/.test(text[end] ?? '')
      return isInWord || /\s/.test(text[close - 1] ?? '') ? null : { end, mark: { kind, inside: text.slice(from, close) } }
    }
    // `***both***`: the third one belongs to what is inside.
    const third = text[from] === mark[0] && text[end] === mark[0] ? 1 : 0
    return { end: end + third, mark: { kind, inside: text.slice(from, close + third) } }
  }
}

const lineEnd = /\n/g

/** Whether the text has this place, in the same line. */
function isInOneLine(places: Places, at: number, close: number): boolean {
  return close < places.text.length && close < places.next(lineEnd, at)
}

function matchAt({ text }: Places, pattern: RegExp, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
