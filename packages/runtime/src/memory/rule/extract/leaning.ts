// Whether a sentence needs another one to be understood. Pure.
import { contentWords } from './revocation.ts'

const pronounFirst =
  /^(?:(?:and|but|so|also|then|actually|ok|yes|no|well|because|plus)[,\s]+)*(?:it|its|it's|it'll|they|they're|they'll|them|that|that's|this|these|those|both|there|same|one|some|most|another|in (?:that|this) order|never the other way|the other way|found|otherwise|which|who|neither|either|either way|no exceptions?|ever|period|full stop)\b/i
const demonstrative =
  /\b(?:it|them|both|there|those|these|(?:this|that)(?=[.,!]|$|\s(?:today|yesterday|last|this|again|so|is|was|with|on|in|for|to|by|from|at|and|as|too|already)\b))\b/i

export function beginsWithPronoun(sentence: string): boolean {
  return pronounFirst.test(sentence.trim())
}

/** It begins with a pronoun, or has one before anything that the pronoun could mean. */
export function leansBack(sentence: string): boolean {
  if (beginsWithPronoun(sentence)) return true
  const found = demonstrative.exec(sentence)
  return (
    found !== null &&
    contentWords(sentence.slice(0, found.index)).filter(
      (word) => !/^(?:never|always|don't|want|decided|announced|told|said|hate|prefer|need|write|keep)$/.test(word),
    ).length <= 1
  )
}

const announcing =
  /^(?:exceptions?|change|changes|plans?|decision|decisions|rules?|ground|house|update|news|settled|decided|agreed|final|correction|corrections|topic|thing|lesson|big|small|quick|important|note|period|always|never|every|time|forever|mistake)$/

/** "No exceptions.", "Big change of plans.": it says nothing by itself. */
export function isBare(sentence: string): boolean {
  return contentWords(sentence).filter((word) => !announcing.test(word)).length === 0
}
