// Codes of doors, safes, locks and cards, and lists of backup codes, however they are written. Pure.
import { firstGroups, type Span } from './span.ts'

/** Where a number may be one that opens something. */
const place = /alarm|\bdoors?\b|\bgates?\b|\bsafe\b|\block(?:er|box)?\b|padlock|keypad|garage|vault|\bpanel\b/i

const patterns = [
  // "front door keypad 5632#", "key safe: 4471"
  /\b(?:keypad|padlock|lock[\s-]?box|key[\s-]?(?:box|safe))(?:[ \t]+(?:code|combo|combination|number|pin))?[ \t]*(?:is|:|=|,)?[ \t]*#?(\d{4,8})(?![\d\p{L}])/dgiu,
  // "bike lock combo 4810"
  /\b(?:combo|combination)[ \t]+(\d{3,8}|\d{1,2}(?:-\d{1,2}){2,3})(?![\d\p{L}])/dgiu,
  // "the safe opens with 26-27-07"
  /\b(?:safe|vault|lock|padlock|locker|suitcase|gate|door|garage|shed)\b[^\n.!?\d]{0,40}\b(?:opens|open|unlocks|unlock)[ \t]+with[ \t]+(\d{2,4}(?:[ -]\d{2,4}){1,3}|\d{3,8})(?![\d\p{L}])/dgiu,
]
/** "punch in 857144", where a lock or an alarm is named. */
const typed =
  /\b(?:punch|key|type|tap|dial|put|enter)(?:[ \t]+in)?[ \t]+(?:the[ \t]+code[ \t]+)?#?(\d{4,8})(?![\d\p{L}]|[ \t]*(?:rows|times|euros?|pounds|dollars|kg|g)\b)/dgiu

const digitWord = '(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)'
/** "the gate code is eight eight nine nine". */
const spoken = new RegExp(
  String.raw`\b(?:code|pin|combination|combo|passcode)\b[^\n.!?\d]{0,40}?\b(?:is|was|now|:)[ \t]*((?:${digitWord}[ \t,-]+){2,7}${digitWord})\b`,
  'dgiu',
)

/** "backup codes for the mail account: 2707 2711, 1282 7835". */
const listName = /\b(?:backup|recovery|scratch|emergency|reserve|one[\s-]time)[\s-]codes?\b/giu
const listed = /(?<![\p{L}\p{N}-])(?=[\p{L}\d -]*\d)((?:[\da-z]{4,6}[ -][\da-z]{4,6})|\d{6,10}|[\da-z]{8,12})(?![\p{L}\p{N}-])/dgu
const listReach = 400

/** "tan 197930 for the transfer". */
const bank = /\b(?:(?:m|sms|photo|push|chip|i)?[\s-]?tan)\b[ \t]*(?:is|was|:|=|code|number)?[ \t]*(\d{6})(?!\d)/dgiu
/** "asked for a TAN for the rent, I put in 353755". */
const bankLater = /\btan\b[^\n.!?\d]{0,60}\b(?:put in|typed|entered|used|got|is)[ \t]+(\d{6})(?!\d)/dgiu
const card = /\b(?:cv[vc]2?|security[ \t]code|card[ \t]code)[ \t]*(?:is|was|:|=|#)?[ \t]*(\d{3,4})(?!\d)/dgiu
/** Beside the number of a card. */
const onCard = /(?:\b\d{2}[-/]\d{2,4}\b[^\d\n]{1,6}|\b(?:front|back|code|digits|cv[vc]2?)\b[^\d\n]{0,15})(\d{3,4})(?!\d)/dgiu

export const accessPatterns: readonly RegExp[] = [...patterns, typed, spoken, listed, bank, bankLater, card, onCard]

export function accessCodes(text: string, hasCard: boolean): readonly Span[] {
  const found = [...patterns, spoken, bank, bankLater, card].flatMap((pattern) => firstGroups(text, pattern))
  if (place.test(text)) found.push(...firstGroups(text, typed))
  if (hasCard) found.push(...firstGroups(text, onCard))
  for (const name of text.matchAll(listName)) {
    const from = name.index + name[0].length
    found.push(
      ...firstGroups(text.slice(from, from + listReach), listed).map(({ start, end }) => ({ start: start + from, end: end + from })),
    )
  }
  return found
}
