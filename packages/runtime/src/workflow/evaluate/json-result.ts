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

/** Looks at it level by level, at each part once. */
function problemOf(value: unknown): string | null {
  const seen = new Set<unknown>()
  let level = [value]
  for (let levels = 0; level.length > 0; levels++) {
    if (levels > evaluateLimits.depth) return 'The result is nested too deeply.'
    if (level.some(isFunction)) return 'The result contains a function.'
    if (level.some((part) => typeof part === 'number' && !Number.isFinite(part)))
      return 'The result contains a number that is out of range.'
    const open = level.filter((part): part is object => typeof part === 'object' && part !== null && !seen.has(part))
    for (const part of open) seen.add(part)
    // Lists of the library have properties besides their items.
    level = open.flatMap((part): unknown[] => (Array.isArray(part) ? part : Object.values(part)))
  }
  return null
}

/** The library represents its functions as objects with one of these properties, or as functions. */
function isFunction(value: unknown): boolean {
  if (typeof value === 'function') return true
  return typeof value === 'object' && value !== null && ('_jsonata_lambda' in value || '_jsonata_function' in value)
}
