// What a statement is about: its words without those of its values, and without words that carry little. Pure.
import type { Memory } from '@tandem/contract/memory'
import { peopleIn } from '../extract/names.ts'
import { stopWords } from '../extract/words.ts'
import { memoized } from '../memoized.ts'
import { stems } from '../resolve/revoke.ts'
import { valuesIn } from './values.ts'

/** Words with little meaning of their own beside those that carry none. */
const general = stems(
  'want wants need needs keep keeps time today week month day days work works working people good better best make makes take takes give gives come comes say says said tell told know think mean means still always never everything everyone anything something nothing first last next right left big small long short real done start end part side whole sure fine call calls mail mails text note notes file files year years thing things way one two three four five six seven eight nine ten half twice monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays',
)
export const weekdays = stems('monday tuesday wednesday thursday friday saturday sunday')
const emptyWords = stems([...stopWords].join(' '))
export const stemsOf = memoized(stems)

export function isGeneral(word: string): boolean {
  return emptyWords.has(word) || general.has(word) || /^\p{N}+$/u.test(word)
}

/** What it is about: its words without those of its values. */
export const topicsOf = memoized((content): ReadonlySet<string> => {
  const values = [...valuesIn(content).values()].flatMap((some) => [...some])
  const plain = values.reduce((text, value) => text.replaceAll(value, ' '), content.toLowerCase())
  return new Set([...stems(plain.replace(/\p{N}+/gu, ' '))].filter((word) => word.length > 2 && !isGeneral(word)).map(withoutDouble))
})

/** "swimming" and "swim" are one. */
const withoutDouble = (stem: string): string => stem.replace(/([bdgmnprt])\1$/u, '$1')

/** Names of people say who is concerned, not what has changed. */
export function peopleOf(existing: readonly Pick<Memory, 'content'>[], words: string): ReadonlySet<string> {
  return new Set([...existing.map(({ content }) => content), words].flatMap((text) => [...peopleWords(text)]))
}

export const peopleWords = memoized((text): ReadonlySet<string> => new Set(peopleIn(text).flatMap((name) => [...stems(name.text)])))
