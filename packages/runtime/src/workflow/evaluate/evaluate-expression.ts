// One evaluation, in the thread.
import type jsonata from 'jsonata'
import type { Evaluation, EvaluationResult, FailedEvaluation } from './evaluation.ts'
import { failureOf, failures } from './failures.ts'
import { jsonResult } from './json-result.ts'
import type { Realm } from './realm.ts'
import { refusedIn } from './refused-functions.ts'

/** `begun` is called when the input was read: from then on the time counts. */
export async function resultOf(asked: Evaluation, realm: Realm, begun: () => void): Promise<EvaluationResult> {
  if (asked.kind === 'pattern') {
    begun()
    return matchResult(asked.pattern, asked.text)
  }
  const input = realm.parse(asked.input)
  begun()
  const parsed = parse(realm, asked.expression)
  return 'reason_code' in parsed ? parsed : evaluate(parsed, input)
}

function matchResult(pattern: string, text: string): EvaluationResult {
  try {
    return { json: JSON.stringify(new RegExp(pattern).test(text)) }
  } catch (error) {
    return failureOf(error, 'expression_invalid')
  }
}

function parse(realm: Realm, expression: string): jsonata.Expression | FailedEvaluation {
  try {
    const parsed = realm.jsonata(expression)
    realm.refuse(parsed)
    return refusedIn(parsed.ast()) ?? parsed
  } catch (error) {
    return failureOf(error, 'expression_invalid')
  }
}

async function evaluate(expression: jsonata.Expression, input: unknown): Promise<EvaluationResult> {
  try {
    // Nothing in a realm takes time except computing: what has no result when it pauses will never have one.
    const paused = new Promise<typeof failures.unsettled>((resolve) => setImmediate(resolve, failures.unsettled))
    const value: unknown = await Promise.race([expression.evaluate(input), paused])
    return value === failures.unsettled ? failures.unsettled : jsonResult(value)
  } catch (error) {
    return failureOf(error, 'expression_failed')
  }
}
