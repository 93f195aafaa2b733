// What a reflection says of a failure. Pure.
import type { FailurePattern } from '@tandem/contract/learning'
import type { Cause } from '../rule/reflect.ts'
import { conditionText, vagueCodes } from './condition.ts'
import { describe, withMessage } from './description.ts'
import type { FailureFact } from './failures.ts'
import { matches, templateTokens } from './template.ts'

type SeenPattern = Pick<FailurePattern, 'stage' | 'taxonomy' | 'runs' | 'template'>

/** `pattern`: as it is shown, so that its template is empty unless its words are content. */
export function causeFrom(failure: FailureFact, { stage, taxonomy, runs, template }: SeenPattern): Cause {
  const { tool, program, repair, help, condition, tokens } = failure
  // A known condition says it without the error. The template of a pattern that joins several programs may be that of another one.
  const message = condition === null && matches(templateTokens(template), tokens) ? template : ''
  return {
    ...{ summary: withMessage(describe(failure).summary, message), stage, taxonomy, tool, program, runs },
    ...{ because: reasonOf(failure, message), repaired: repair !== null },
    // What only repeats the call is no help. What helped against other failures of the pattern may not have helped here.
    helped: help !== null && help.call_id !== repair?.call_id ? help.summary : null,
  }
}

function reasonOf({ condition, failure_contract: contract }: FailureFact, message: string): string | null {
  const known = conditionText(condition ?? '')
  if (known !== '') return `because ${known.charAt(0).toLowerCase()}${known.slice(1).replace(/\.$/, '')}`
  if (message !== '') return `with "${message}"`
  return contract && !vagueCodes.has(contract.reason_code) ? `with ${contract.reason_code}` : null
}
