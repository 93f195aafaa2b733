// Values of a statement that change: dates, times, amounts, days of the week, how often, by which channel. Pure.

export const valueTypes = ['date', 'time', 'amount', 'weekday', 'frequency', 'channel'] as const
export type ValueType = (typeof valueTypes)[number]

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const weekday = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'

/** Tried in this order: what one has taken is not seen by the next. */
const patterns: readonly (readonly [ValueType, RegExp])[] = [
  [
    'date',
    new RegExp(
      String.raw`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}\b|${month} \d{1,2}(?:st|nd|rd|th)?\b|the \d{1,2}(?:st|nd|rd|th)\b)`,
      'giu',
    ),
  ],
  [
    'time',
    /\b\d{1,2}[:.]\d{2}\b(?! ?%)|\b\d{1,2} ?[ap]\.?m\b|\b(?:noon|midnight)\b|\b(?:at|by|before|after|until|to|not) (?:half )?\d{1,2}\b(?![\d.,:%-])|\b(?:half|quarter) (?:past |to )?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/giu,
  ],
  ['weekday', new RegExp(String.raw`\b${weekday}\b`, 'giu')],
  [
    'frequency',
    /\b(?:hourly|daily|weekly|fortnightly|monthly|quarterly|yearly|(?:once|twice) an? (?:day|week|month|year)|every (?:other |second )?(?:hour|day|week|fortnight|month|quarter|year))\b/giu,
  ],
  [
    'channel',
    /\b(?:e-?mails?|whatsapp|slack|telegram|signal|sms|discord|mattermost|imessage|(?:by|by the|over the|on the) (?:phone|post|letter|mail)|text (?:him|her|them|me|us))\b/giu,
  ],
  [
    'amount',
    /(?:[€$£]\s?)?\b\d[\d.,]*\d\b|(?:[€$£]\s?)\d\b|\b\d+ ?(?:euros?|dollars?|pounds?|quid|k|grand|percent|%|hours?|minutes?|days?|weeks?|people|seats)\b/giu,
  ],
]

/** What it says of each type, in lower case. */
export function valuesIn(text: string): ReadonlyMap<ValueType, ReadonlySet<string>> {
  const found = new Map<ValueType, Set<string>>()
  let rest = text
  for (const [type, pattern] of patterns) {
    rest = rest.replace(pattern, (value) => {
      found.set(type, (found.get(type) ?? new Set()).add(value.toLowerCase().replace(/^(?:at|by|before|after|until|to|not|the) /, '')))
      return ' '
    })
  }
  return found
}

/** Whether both have a value of the same type, and another one. */
export function differ(left: string, right: string): boolean {
  const [one, other] = [valuesIn(left), valuesIn(right)]
  return valueTypes.some((type) => {
    const [mine, theirs] = [one.get(type), other.get(type)]
    return mine !== undefined && theirs !== undefined && !mine.isSupersetOf(theirs)
  })
}

/** Whether it names the value of the other and one more of the same type: "from the 14th to 21 April". */
export function namesOldValue(statement: string, other: string): boolean {
  const [mine, theirs] = [valuesIn(statement), valuesIn(other)]
  return valueTypes.some((type) => {
    const old = new Set([...(theirs.get(type) ?? [])].map(plainValue))
    const named = [...(mine.get(type) ?? [])].map(plainValue)
    return named.some((value) => old.has(value)) && named.some((value) => !old.has(value))
  })
}

/** "the 14th", "14 April" and "2026-04-14" are the same day of a month. */
function plainValue(value: string): string {
  const spoken = /^(half|quarter) (past |to )?(\w+)$/.exec(value)
  if (spoken) return spokenTime(spoken[1] === 'half' ? 30 : 15, spoken[2] === 'to ', spoken[3] ?? '')
  const iso = /^\d{4}-\d{2}-(\d{2})$/.exec(value)
  return String(Number(iso?.[1] ?? /\d+(?:[:.]\d+)?/.exec(value)?.[0]?.replace('.', ':') ?? Number.NaN)) === 'NaN'
    ? value.replace(/s$/, '')
    : String(Number(iso?.[1] ?? /\d+/.exec(value)?.[0])) + (/[:.](\d+)/.exec(value)?.[0] ?? '')
}

const hours = 'twelve one two three four five six seven eight nine ten eleven'.split(' ')

/** "half seven" and "half past seven" are 7:30, "quarter to eight" is 7:45. */
function spokenTime(minutes: number, isBefore: boolean, hour: string): string {
  const named = hours.includes(hour) ? hours.indexOf(hour) : Number(hour)
  return isBefore ? `${(named + 11) % 12 || 12}:${60 - minutes}` : `${named || 12}:${minutes}`
}
