// Functions of JSONata that workflows do not have. After a crash an expression is evaluated again, and must return the same result.
import type { FailedEvaluation } from './evaluation.ts'

const changing = 'its result would be different after a restart. Pass the value as an input instead.'

export const refusedFunctions: ReadonlyMap<string, string> = new Map([
  ['now', `$now cannot be used in a workflow: ${changing}`],
  ['millis', `$millis cannot be used in a workflow: ${changing}`],
  ['random', `$random cannot be used in a workflow: ${changing}`],
  ['shuffle', `$shuffle cannot be used in a workflow: ${changing}`],
  ['eval', '$eval cannot be used in a workflow: it would run text from the data as an expression.'],
])

/** The first refused function that is named anywhere in the parsed expression. */
export function refusedIn(ast: unknown): FailedEvaluation | null {
  const seen = new Set<object>()
  const open: unknown[] = [ast]
  while (open.length > 0) {
    const node = open.pop()
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    const { type, value } = node as { readonly type?: unknown; readonly value?: unknown }
    const message = type === 'variable' && typeof value === 'string' ? refusedFunctions.get(value) : undefined
    if (message) return { reason_code: 'expression_invalid', message }
    open.push(...Object.values(node))
  }
  return null
}
