// The input of an expression as JSON text.
import { evaluateLimits } from './evaluate-limits.ts'
import type { FailedEvaluation } from './evaluation.ts'
import { failures } from './failures.ts'

const { input_bytes, depth } = evaluateLimits

/** The library marks its own values with these properties, and would take data that has them for such a value. */
const reserved = ['_jsonata_lambda', '_jsonata_function', 'outerWrapper', 'tupleStream']

export function inputText(input: unknown): string | FailedEvaluation {
  const problem = problemOf(input)
  if (problem) return problem
  const text = JSON.stringify(input) ?? 'null'
  if (Buffer.byteLength(text) > input_bytes) return failures.largeInput
  // In a text, the quotation mark would be escaped, so this finds only properties.
  const name = reserved.find((property) => text.includes(`"${property}":`))
  if (name === undefined) return text
  return { reason_code: 'expression_failed', message: `The input has a property named ${name}, which JSONata uses itself. Rename it.` }
}

/** Looks at it level by level, before anything is done that takes long for a value that is too large. */
function problemOf(input: unknown): FailedEvaluation | null {
  // A value and the comma after it take at least two bytes.
  let left = input_bytes / 2
  let level = [input]
  for (let levels = 0; level.length > 0; levels++) {
    left -= level.length
    if (left < 0) return failures.largeInput
    if (levels > depth) return failures.deepInput
    level = level.flatMap((value): unknown[] => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return null
}
