// Whether an answer is valid for its question. Pure.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'

/** Why the answer is not valid; null if it is. */
export function invalidAnswerReason({ options, multiple, allows_text }: QuestionPrompt, { chosen, text }: QuestionAnswer): string | null {
  const offered = options.map(({ value }) => value)
  const strange = chosen.find((value) => !offered.includes(value))
  if (strange !== undefined) return `"${strange}" is not one of the options (${offered.join(', ') || 'the question has no options'})`
  if (new Set(chosen).size !== chosen.length) return 'each option can be chosen only once'
  if (chosen.length > 1 && !multiple) return 'only one option can be chosen'
  if (text !== null && !allows_text) return 'this question cannot be answered with text: choose one of the options'
  if (chosen.length === 0 && (text ?? '').trim() === '') return 'the answer is empty'
  return null
}
