// How many tokens a range of a text has.
import { tokensOf } from '../../../recall/rule/pick.ts'

/** What `tokensOf` adds for every text, regardless of its length. */
const tokensOfEmpty = tokensOf('')

/** A sum of weights is never less than the weight of the whole. */
export function weightOf(text: string, from: number, to: number): number {
  return tokensOf(text.slice(from, to)) - tokensOfEmpty
}

/** Whether it weighs at most `most`, without reading a long text. */
export function isLight(text: string, from: number, to: number, most: number): boolean {
  return to - from <= most * charactersPerToken && weightOf(text, from, to) <= most
}

export const charactersPerToken = 3.5

/** The longest part from `from` on that weighs at most `most`, not ending within a code point. At least one code point. */
export function endWithin(text: string, from: number, to: number, most: number): number {
  let weight = 0
  let at = from
  while (at < to) {
    const point = text.codePointAt(at) ?? 0
    const units = point > 0xffff ? 2 : 1
    weight += isUnspaced(point) ? 1 + (units - 1) / charactersPerToken : units / charactersPerToken
    if (Math.ceil(weight) > most && at > from) return at
    at += units
  }
  return to
}

/** The scripts for which `tokensOf` counts each character; none of them is before the Thai letters. */
function isUnspaced(point: number): boolean {
  return point >= 0x0e00 && unspaced.test(String.fromCodePoint(point))
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
