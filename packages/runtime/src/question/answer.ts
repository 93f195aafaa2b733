// Whether an answer fits the question: a pure rule over what was asked.
import type { QuestionAnswer, QuestionPrompt } from '@tandem/contract/run'

/** Why it does not fit; null when it does. */
export function misfitOf({ options, multiple, allows_text }: QuestionPrompt, { chosen, text }: QuestionAnswer): string | null {
  const offered = options.map(({ value }) => value)
  const strange = chosen.find((value) => !offered.includes(value))
  if (strange !== undefined) return `"${strange}" is none of the options (${offered.join(', ') || 'there are none'})`
  if (new Set(chosen).size !== chosen.length) return 'an option is chosen twice'
  if (chosen.length > 1 && !multiple) return 'only one option may be chosen'
  if (text !== null && !allows_text) return 'the question takes no answer in words: choose one of the options'
  if (chosen.length === 0 && (text ?? '').trim() === '') return 'the answer says nothing'
  return null
}
