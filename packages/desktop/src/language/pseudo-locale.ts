// A language for tests, made from English: letters have accents, words are longer, and every text is in brackets. A text without brackets
// is one that cannot be translated.
import type { Text, Translate } from './translate.ts'

const plain = 'aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ'
const accents = 'áÁƀɃçÇðÐéÉƒƑĝĜĥĤîÎĵĴķĶļĻɱṀñÑöÖþÞǫǪŕŔšŠţŢûÛṽṼŵŴẋẊýÝžŽ'
const letters = new Map(Array.from(plain, (letter, index) => [letter, Array.from(accents)[index] ?? letter]))

/** Placeholders, and texts that have been changed already. */
const kept = /\{\{?[^{}]*\}\}?|⟦[^⟦⟧]*⟧/

export const accented: Translate = (english) => (typeof english === 'string' ? accentedText(english, []) : accentedFunction(english))

/** `given`: what was put into the text. It stays as it is. */
export function accentedText(text: string, given: readonly string[]): string {
  const longest = [...new Set(given)].filter((part) => part !== '').toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(`(${[...longest.map((part) => RegExp.escape(part)), kept.source].join('|')})`, 'u')
  const parts = text.split(pattern)
  if (!parts.some((part, index) => index % 2 === 0 && /\p{L}/u.test(part))) return text
  return `⟦${parts.map((part, index) => (index % 2 === 0 ? longer(part) : part)).join('')}⟧`
}

/** Two in five letters of English are vowels: doubling them makes words 40 % longer. */
function longer(text: string): string {
  return Array.from(text, (letter) => {
    const accent = letters.get(letter) ?? letter
    return /[aeiou]/i.test(letter) ? accent + accent.toLowerCase() : accent
  }).join('')
}

function accentedFunction(english: Exclude<Text, string>): Text {
  return (...given: unknown[]) => accentedResult(Reflect.apply(english, undefined, given), stringsIn(given, 0))
}

function accentedResult(result: unknown, given: readonly string[]): unknown {
  if (typeof result === 'string') return accentedText(result, given)
  if (Array.isArray(result)) return result.map((part) => accentedResult(part, given))
  if (typeof result !== 'object' || result === null) return result
  return Object.fromEntries(Object.entries(result).map(([key, part]) => [key, accentedResult(part, given)]))
}

const deepest = 4

function stringsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth >= deepest) return []
  return Object.values(value).flatMap((part) => stringsIn(part, depth + 1))
}
