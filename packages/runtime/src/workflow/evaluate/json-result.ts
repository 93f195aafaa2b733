// The result of an expression as JSON text. What has no JSON is refused, so that nothing is lost silently; only "no result" is null.
import { evaluateLimits } from './evaluate-limits.ts'
import type { EvaluationResult } from './evaluation.ts'
import { failures } from './failures.ts'

export function jsonResult(value: unknown): EvaluationResult {
  const problem = problemOf(value)
  if (problem) return { reason_code: 'expression_failed', message: problem }
  const json = JSON.stringify(value ?? null)
  return Buffer.byteLength(json) > evaluateLimits.result_bytes ? failures.largeResult : { json }
}

function problemOf(value: unknown): string | null {
  const seen = new Set<object>()
  const open = [value]
  while (open.length > 0) {
    const part = open.pop()
    if (isFunction(part)) return 'The result contains a function.'
    if (typeof part === 'number' && !Number.isFinite(part)) return 'The result contains a number that is out of range.'
    if (typeof part !== 'object' || part === null || seen.has(part)) continue
    seen.add(part)
    // Lists of the library have properties besides their items.
    for (const inner of Array.isArray(part) ? part : Object.values(part)) open.push(inner)
  }
  return null
}

/** The library represents its functions as objects with one of these properties, or as functions. */
function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value)
}
