// The input of an expression as JSON text.
import { evaluateLimits } from './evaluate-limits.ts'
import type { FailedEvaluation } from './evaluation.ts'
import { failures } from './failures.ts'

/** The library marks its own values with these properties, and would take data that has them for such a value. */
const reserved = ['_jsonata_lambda', '_jsonata_function', 'outerWrapper', 'tupleStream']

/** Throws for a value that cannot be JSON, which is a bug of the caller. */
export function inputText(input: unknown): string | FailedEvaluation {
  let text: string
  try {
    text = JSON.stringify(input) ?? 'null'
  } catch (error) {
    if (error instanceof RangeError) return failures.deepInput
    throw error
  }
  if (Buffer.byteLength(text) > evaluateLimits.input_bytes) return failures.largeInput
  // In a text, the quotation mark would be escaped, so this finds only properties.
  const name = reserved.find((property) => text.includes(`"${property}":`))
  if (name === undefined) return text
  return { reason_code: 'expression_failed', message: `The input has a property named ${name}, which JSONata uses itself. Rename it.` }
}
