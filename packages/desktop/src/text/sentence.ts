import { sentence } from '@tandem/contract/text'
import { visibleText } from './visible.ts'

/** A message from outside as a sentence: what it hides is shown. */
export function visibleSentence(text: string): string {
  return sentence(visibleText(text))
}
