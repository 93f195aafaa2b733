// The sentences that a user wrote themselves, with their places in the message. Pure.
import { ownLines } from './foreign-lines.ts'

export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A message may be long; what comes later is rarely said by hand. */
const longestMessage = 20_000

/** In order. */
export function ownSentences(message: string): readonly Sentence[] {
  return ownLines(message.slice(0, longestMessage)).flatMap(({ text, start }) =>
    splitAt(text, sentenceBreaks(text))
      .flatMap((sentence) => splitAt(sentence.text, clauseBreaks(sentence.text)).map((clause) => moved(clause, start + sentence.start)))
      .flatMap(trimmed),
  )
}

/** Where a new sentence begins. A point in an abbreviation, a number or after an initial ends none. */
function sentenceBreaks(text: string): readonly number[] {
  const breaks: number[] = []
  for (const match of text.matchAll(/[.!?…]+["”')\]]*\s+|\s[—–]\s|\s--\s|;\s+|\s\.\s+/g)) {
    const end = match.index + match[0].length
    const before = text.slice(0, match.index + 1)
    if (match[0].startsWith('.') && !match[0].startsWith('..') && (isAbbreviated(before) || isInitial(before, text.slice(end)))) continue
    breaks.push(end)
  }
  return breaks
}

const abbreviated =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|dr|mr|mrs|ms|prof|st|vs|approx|no|nr|art|ca|resp|dept|inc|ltd|fig|sec|min|max|incl|excl|tel|ext|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|a\.m|p\.m|u\.s|cf|al|\d{1,2})\.$/i

function isAbbreviated(before: string): boolean {
  // "no." ends a sentence more often than it abbreviates "number".
  if (/(?:^|\s)no\.$/i.test(before)) return false
  if (/(?:^|\s)\d{1,2}\.$/.test(before)) return /^\s*\d{1,2}\.$/.test(before)
  return abbreviated.test(before)
}

/** "Anna B. wants": an initial after a name. */
function isInitial(before: string, after: string): boolean {
  return /\p{Lu}[\p{L}'’-]+\s\p{Lu}\.$|^\p{Lu}\.$/u.test(before) && /^[\p{Ll}]/u.test(after)
}

/** A request or a question that is attached to a statement, and a statement that is attached to a request. */
const attached = [
  /,?\s(?=(?:and|but|so|also)\s(?:then\s|also\s|now\s)?(?:can|could|would|will|do|did)\s(?:you|we|I|someone|anyone)\b)/gi,
  /,\s(?=(?:can|could|would|will)\syou\b)/gi,
  /,\s(?=(?:btw|by the way|oh|and by the way|and btw|anyway|also|oh and|and also)\b,?\s\S)/gi,
  /,\s(?=(?:and|but)\s(?:I|we|my|our|please|from now on|for)\s)/gi,
  /,\s(?=(?:remind|tell|draft|book|send|write|rerun|remember) (?:me|him|her|them|it|that|us)\b)/gi,
]

function clauseBreaks(text: string): readonly number[] {
  const enough = (at: number) => wordsIn(text.slice(0, at)) >= 3 && wordsIn(text.slice(at)) >= 3 && !isList(text.slice(0, at))
  return [...new Set(attached.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match.index + match[0].length)))]
    .filter(enough)
    .sort((left, right) => left - right)
}

/** In a list of steps, the last step begins with "and". */
function isList(before: string): boolean {
  return (before.match(/,/g)?.length ?? 0) >= 3 || /:\s[^,]*,[^,]*,/.test(before)
}

function wordsIn(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}

function splitAt(text: string, breaks: readonly number[]): readonly Sentence[] {
  const ends = [...breaks, text.length]
  return ends.map((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0)
    return { text: text.slice(start, end), start, end }
  })
}

function moved({ text, start, end }: Sentence, by: number): Sentence {
  return { text, start: start + by, end: end + by }
}

/** Without list marks, spaces and dashes around it; nothing if no letter or digit is left. */
function trimmed({ text, start }: Sentence): readonly Sentence[] {
  const lead = /^(?:\s|[-*•–—]\s|\d{1,2}[.)]\s|[,;]\s?)*/.exec(text)?.[0].length ?? 0
  const kept = text.slice(lead).replace(/(?:\s|[—–,;]|\s\.)+$/u, '')
  return /[\p{L}\p{N}]/u.test(kept) ? [{ text: kept, start: start + lead, end: start + lead + kept.length }] : []
}
