// What a statement affirms and what it denies: "no tabs, but spaces" denies the tabs. Pure.
import { statementWords } from './resolve/same.ts'

const denies = new Set(['no', 'not', 'never', 'nothing', 'none', 'nobody', 'neither', 'nor'])

/** They concern only what follows, and with a denial all is affirmed: "never commit without tests". */
const excludes = /^(?:without|avoid(?:s|ed|ing)?|stop(?:s|ped|ping)?|hat(?:e|es|ed|ing)|dislik(?:e|es|ed|ing)|refus(?:e|es|ed|ing))$/

export function isNegated(content: string): boolean {
  return statementWords(content).some((word) => denies.has(word) || excludes.test(word))
}

const answers = /^\W*(?:no|nope|nah)[,.!]\s+/iu
const affirms = /\b(?:not only|not just|(?:(?:do not|don['’]t|never) (?:forget|hesitate)|no (?:problem|doubt|worries))(?: to| that)?)\b/giu
const contrasts = /;|\b(?:but|while|whereas|instead|rather)\b/iu
const pauses = /,|\band\b/iu
/** What begins with one of these is a statement of its own, and not the next item of a list. */
const begins =
  /^(?:I|we|you|it|they|he|she|prefer\w*|us(?:e|es|ing)|lik(?:e|es|ing)|want\w*|need\w*|always|only|just|please|keep\w*|make\w*|do|does|then|no|not|never)\b/iu

/** Its words, each with how it stands there: affirmed, denied, or both. */
export function wordStandings(content: string): ReadonlyMap<string, ReadonlySet<'affirmed' | 'denied'>> {
  const standings = new Map<string, Set<'affirmed' | 'denied'>>()
  for (const clause of content.replace(answers, '').replace(affirms, ' ').split(contrasts)) {
    let isDenied = false
    for (const part of clause.split(pauses)) {
      const words = statementWords(part)
      const [hasDenial, hasExclusion] = [words.some((word) => denies.has(word)), words.some((word) => excludes.test(word))]
      isDenied = hasDenial ? !hasExclusion : isDenied && !begins.test(part.trim())
      for (const word of words) {
        if (excludes.test(word) && !hasDenial) isDenied = !isDenied
        standings.set(word, (standings.get(word) ?? new Set()).add(isDenied ? 'denied' : 'affirmed'))
      }
    }
  }
  return standings
}
