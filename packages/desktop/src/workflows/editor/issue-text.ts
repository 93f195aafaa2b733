import { visibleSentence } from '../../text/sentence.ts'
import type { TextIssue } from './use-text-check.ts'

/** The field that a problem is about is named, because its line may not contain it: "tool is missing". */
export function issueText({ pointer, message }: Pick<TextIssue, 'pointer' | 'message'>): string {
  const field = pointer.slice(pointer.lastIndexOf('/') + 1)
  const isAboutField = /^(?:is|are|must|can|cannot|has|needs)\b/.test(message) && /^[a-z]\w*$/.test(field)
  return visibleSentence(isAboutField ? `\`${field}\` ${message}` : message)
}
