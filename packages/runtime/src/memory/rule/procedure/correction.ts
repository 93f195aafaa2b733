// Whether a message says that what was done before it was wrong. Pure.
import { ownSentences } from '../extract/own-words.ts'

/** What a correction says comes first; a later "no" is usually about something else. */
const firstSentences = 3

const corrections: readonly RegExp[] = [
  /^(?:no|nope|wrong|stop|undo|revert|wait)\b(?!\s+(?:problem|worries|need|rush|questions?|thanks))/i,
  /\b(?:that|this|it)(?:['’]s| is| was) (?:all |completely |still |just )?(?:wrong|incorrect|broken|not (?:right|correct|what|how))\b/i,
  /\b(?:that|this|it) (?:isn['’]t|wasn['’]t|is not|was not) (?:quite )?(?:right|correct|what|how)\b/i,
  /\bnot what i (?:asked|meant|wanted|said|had in mind)\b/i,
  /\bi (?:meant|said|asked (?:you )?(?:for|to|not)|did(?:n['’]t| not) (?:ask|want|mean)|never asked)\b/i,
  /\byou (?:should(?:n['’]t| not)? have|forgot|missed|misunderstood|broke|deleted|ignored|were(?:n['’]t| not) supposed)\b/i,
  /\b(?:undo|revert|roll back|take back|restore) (?:that|this|it|your|the (?:last )?changes?|everything|what you)\b/i,
  /\b(?:does(?:n['’]t| not)|did(?:n['’]t| not)) (?:work|compile|run|help|pass|change)\b|\bstill (?:fails?|failing|broken|wrong)\b/i,
  /^(?:please )?(?:don['’]t|do not|never) (?:do|use|change|touch|delete|write|run) (?:that|this|it)\b/i,
]

export function isCorrection(message: string): boolean {
  return ownSentences(message)
    .slice(0, firstSentences)
    .some(({ text }) => corrections.some((pattern) => pattern.test(text)))
}
