// A failure pattern as it is stored, and as it is shown. Its template is stored to be compared; its words are shown only if they are content.
import type { FailurePattern } from '@tandem/contract/learning'
import { withMessage } from './description.ts'
import { isContent } from './signature.ts'

export interface PatternRow extends Omit<FailurePattern, 'run_ids' | 'reflection_ids' | 'examples' | 'helped' | 'aged'> {
  readonly run_ids: string
  readonly reflection_ids: string
  readonly examples: string
  readonly helped: string
}

const agedAfter = 30 * 24 * 60 * 60 * 1_000

/** As it is stored: with the whole template, and a summary without the error. */
export function storedPattern({ run_ids, reflection_ids, examples, helped, ...row }: PatternRow): FailurePattern {
  return {
    ...row,
    // Earlier versions stored the error in the summary.
    summary: row.summary.replace(/ Message: “.*$/s, ''),
    run_ids: JSON.parse(run_ids),
    reflection_ids: JSON.parse(reflection_ids),
    examples: JSON.parse(examples),
    helped: JSON.parse(helped),
    aged: false,
  }
}

export function shownPattern(stored: FailurePattern, now: number): FailurePattern {
  const template = isContent(stored) ? stored.template : ''
  const aged = now - Date.parse(stored.last_seen_at) > agedAfter
  return { ...stored, template, aged, summary: withMessage(stored.summary, template) }
}
