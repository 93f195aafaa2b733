// Where a text may be divided: between sentences, then between words, then within a word, but not within what is one character for a reader.
import { isSpace, nextVisible, trimmedEnd } from '../../parse/white-space.ts'
import { charactersPerToken, endWithin, isLight } from './weight.ts'

export interface CutRange {
  readonly from: number
  readonly to: number
}

/** The sentences of a range, without the white space between them. */
export function* sentences(text: string, from: number, to: number): Generator<CutRange> {
  let start = from
  terminator.lastIndex = from + shortestSentence
  for (let match = terminator.exec(text); match && match.index < to; match = terminator.exec(text)) {
    const end = sentenceEnd(text, match.index, to)
    const next = end < 0 ? to : nextVisible(text, end)
    // The regular expression is shared: another cut may have been made since.
    terminator.lastIndex = match.index + 1
    if (end < 0 || next >= to || !isCharacterBoundary(text, next)) continue
    yield { from: start, to: end }
    start = next
    terminator.lastIndex = next + shortestSentence
  }
  yield { from: start, to: trimmedEnd(text, start, to) }
}

/** In characters. Shorter sentences are joined with the next. */
const shortestSentence = 30

const terminator = /[.!?…。！？｡]/g
const closing = `"'”’\u00bb)]」』）】`

/** The end of the sentence that the mark at `at` ends; -1 if it ends none. A full stop within a number or before a small letter does not. */
function sentenceEnd(text: string, at: number, to: number): number {
  const isWide = '。！？｡'.includes(text.charAt(at))
  let end = at + 1
  while (end < to && end - at < 5 && closing.includes(text.charAt(end))) end += 1
  if (isWide) return end
  if (!isSpace(text.charCodeAt(end))) return -1
  let next = end
  while (next < to && next - end < 100 && isSpace(text.charCodeAt(next))) next += 1
  return /\p{Ll}/u.test(String.fromCodePoint(text.codePointAt(next) ?? 0)) ? -1 : end
}

/** The lines of a range, without empty ones and their line breaks. `lineEnd` finds where a line ends, with its break. */
export function* lines(text: string, from: number, to: number, lineEnd = nextLine): Generator<CutRange> {
  let start = from
  while (start < to) {
    const end = lineEnd(text, start, to)
    const visible = nextVisible(text, start)
    if (visible < end) {
      yield { from: start, to: trimmedEnd(text, start, end) }
      start = end
    } else {
      // White space only: continue with the line of the next visible character.
      start = Math.max(end, Math.min(to, text.lastIndexOf('\n', Math.min(visible, to) - 1) + 1))
      if (visible >= to) return
    }
  }
}

function nextLine(text: string, from: number, to: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 || end >= to ? to : end + 1
}

/** Parts of a range that weigh at most `most`: cut at white space, or within a word that is longer than that. */
export function* parts(text: string, from: number, to: number, most: number): Generator<CutRange> {
  let start = from
  while (start < to && !isLight(text, start, to, most)) {
    const end = endWithin(text, start, to, most)
    if (end >= to) break
    const cut = lastSpace(text, start, end) ?? withinWord(text, start, end)
    yield { from: start, to: cut.to }
    start = cut.next
  }
  if (start < to) yield { from: start, to }
}

interface PartEnd {
  readonly to: number
  /** The beginning of the next part. */
  readonly next: number
}

/** The last white space that begins at or before `end`. */
function lastSpace(text: string, from: number, end: number): PartEnd | null {
  for (let at = end; at > from; at--) {
    if (!isSpace(text.charCodeAt(at)) || isSpace(text.charCodeAt(at - 1))) continue
    const next = nextVisible(text, at)
    if (isCharacterBoundary(text, at) && isCharacterBoundary(text, next)) return { to: at, next }
  }
  return null
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A place before `end`: between the words of a script without spaces, otherwise between characters, otherwise between code points. */
function withinWord(text: string, from: number, end: number): PartEnd {
  const begin = codePointStart(text, Math.max(from, end - 200))
  const around = text.slice(begin, codePointStart(text, Math.min(text.length, end + 50)))
  for (const segmenter of [words, characters]) {
    const { index } = segmenter.segment(around).containing(end - begin) ?? { index: 0 }
    if (index > 0) return { to: begin + index, next: begin + index }
  }
  return { to: codePointStart(text, end), next: codePointStart(text, end) }
}

/** Only the next code point is examined: the text before is white space, or ends a sentence. */
function isCharacterBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || (text.charCodeAt(at) < 0x300 && text.charCodeAt(at - 1) < 0x300)) return true
  const begin = codePointStart(text, at - 1)
  const around = text.slice(begin, codePointStart(text, Math.min(text.length, at + 8)))
  return characters.segment(around).containing(at - begin)?.index === at - begin
}

function codePointStart(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  return isLow && at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at
}

/** Where the last sentence before `to` begins, or its last words if it is long; `to` if there is no such place after `from`. */
export function overlapStart(text: string, from: number, to: number, most: number): number {
  const first = Math.max(from + 1, to - Math.floor(most * charactersPerToken))
  let start = to
  let word = to
  for (let at = to - 2; at > first; at--) {
    const next = at + 1
    if (isSpace(text.charCodeAt(at)) && !isSpace(text.charCodeAt(next)) && isCharacterBoundary(text, next)) {
      if (!isLight(text, next, to, most)) break
      word = next
      if (sentenceEnds(text, at, to)) {
        start = next
        break
      }
    }
  }
  return start < to ? start : word
}

/** Whether the white space at `at` follows a sentence. */
function sentenceEnds(text: string, at: number, to: number): boolean {
  let mark = at
  while (mark > 0 && at - mark < 5 && (isSpace(text.charCodeAt(mark)) || closing.includes(text.charAt(mark)))) mark -= 1
  return '.!?…。！？｡'.includes(text.charAt(mark)) && sentenceEnd(text, mark, to) >= 0
}
