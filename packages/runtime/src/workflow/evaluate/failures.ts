// The failures of an evaluation, in words.
import { evaluateLimits } from './evaluate-limits.ts'
import type { EvaluationFailure, FailedEvaluation } from './evaluation.ts'

const { processor_ms, memory_mb, input_bytes, result_bytes, message_length } = evaluateLimits
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`

export const remedies: Readonly<Record<EvaluationFailure, string>> = {
  expression_invalid: 'Correct the expression.',
  expression_failed: 'Check the expression and its input.',
  expression_slow: 'Simplify the expression, or give it less input.',
  expression_too_large: 'Select only the data that is needed.',
  evaluator_unavailable: 'Try again. If it fails again, restart Tandem.',
}

export const failures = {
  slow: { reason_code: 'expression_slow', message: `The expression needed more than ${processor_ms} ms of processor time.` },
  memory: { reason_code: 'expression_too_large', message: `The expression needed more than ${memory_mb} MB of memory.` },
  largeInput: { reason_code: 'expression_too_large', message: `The input is larger than ${megabytes(input_bytes)}.` },
  deepInput: { reason_code: 'expression_too_large', message: 'The input is nested too deeply.' },
  largeResult: { reason_code: 'expression_too_large', message: `The result is larger than ${megabytes(result_bytes)}.` },
  unsettled: { reason_code: 'expression_failed', message: 'The expression waits for something that never happens.' },
  unavailable: { reason_code: 'evaluator_unavailable', message: 'The process that evaluates expressions ended twice, or did not start.' },
  closed: { reason_code: 'evaluator_unavailable', message: 'The evaluator was closed.' },
} as const satisfies Record<string, FailedEvaluation>

/** Errors of the library are objects with a code and a position; its message may contain any part of the data. */
export function failureOf(error: unknown, reason_code: 'expression_invalid' | 'expression_failed'): FailedEvaluation {
  const { code, message, position } = (typeof error === 'object' && error !== null ? error : {}) as Readonly<Record<string, unknown>>
  const text = typeof message === 'string' ? message : String(code ?? error)
  if (isTooLarge(code, text)) return failures.memory
  if (/call stack/i.test(text)) return { reason_code, message: 'The expression or its data is nested too deeply.' }
  return { reason_code, message: shortened(text) + (typeof position === 'number' ? ` (at character ${position})` : '') }
}

/** D2014 is the library's own limit of a range such as `[1..100000000]`. */
function isTooLarge(code: unknown, text: string): boolean {
  return code === 'D2014' || /^(?:Invalid (?:string|array) length|Array buffer allocation failed)/.test(text)
}

function shortened(text: string): string {
  return text.length > message_length ? `${text.slice(0, message_length)}…` : text
}
