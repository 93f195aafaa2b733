// Sentences that make one statement together: one that announces, leans on or ends what its neighbor says. Pure.
import type { Judgment } from './judgment.ts'
import { isBare, leansBack } from './leaning.ts'
import type { Sentence } from './own-words.ts'
import { revocationOf } from './revocation.ts'

export interface Judged {
  readonly sentence: Sentence
  readonly judgment: Judgment
}

/** The places of the sentences in each statement, in order. */
export function statementsOf(judged: readonly Judged[]): readonly (readonly number[])[] {
  const groups: number[][] = []
  judged.forEach(({ sentence, judgment }, index) => {
    const last = groups.at(-1)
    const follows = last?.at(-1) === index - 1 ? last : undefined
    // "No exceptions." says nothing by itself, but something about what was said before it.
    if (!judgment.keeps && !(follows && isBare(sentence.text))) return
    const before = judged[index - 1]
    if (follows && before && (leansBack(sentence.text) || isBare(sentence.text) || belongTogether(before, { sentence, judgment })))
      follows.push(index)
    else groups.push([index])
  })
  return groups.filter((group) => group.length > 1 || !isBare(judged[group[0] ?? 0]?.sentence.text ?? ''))
}

/** One of them only ends something: "The old tool was a mistake. It's the new one from here on." */
function belongTogether(before: Judged, after: Judged): boolean {
  if (/^(?:also|and|plus|next|another|second|then)\b/i.test(after.sentence.text)) return false
  return isReason(after.sentence.text) || isBare(before.sentence.text) || onlyEnds(before) || onlyEnds(after)
}

/** Why, in the words of a complaint: "it drives me mad", "I don't want another one". */
function isReason(sentence: string): boolean {
  return /\b(?:drives me|annoys me|i (?:had|have) to|i've been bur|i got burn)\b|^(?:i (?:don't|didn't) (?:want|need) (?:another|to choose)|i need\b|because|otherwise|that way|less to|i'm useless|i'm rubbish)\b/i.test(
    sentence,
  )
}

function onlyEnds({ sentence }: Judged): boolean {
  return revocationOf(sentence.text, '') !== null && sentence.text.split(/\s+/).length <= 14
}
