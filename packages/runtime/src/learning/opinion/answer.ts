// Reads what a model thinks of a run. Pure. Everything must have the agreed form, name only what is recorded and give no advice; otherwise
// all of it is dropped, with the reason: scores next to an invented cause are not worth more than the cause.
import { type OutcomeDimension, outcomeDimensions } from '@tandem/contract/learning'
import { groundedIn, ungroundedProgram } from '../../memory/rule/grounded.ts'
import { type DimensionScore, type Outcome, outcomeOf } from '../rule/outcome.ts'
import { adviceIn } from './advice.ts'
import type { Question } from './question.ts'

export type Answer =
  | { readonly ok: true; readonly outcome: Outcome; readonly root_cause: string | null }
  | { readonly ok: false; readonly reason: string }

const longestReason = 300
const longestCause = 600
const longestName = 100

export function readAnswer(text: string, { calls: known, evidence }: Pick<Question, 'calls' | 'evidence'>): Answer {
  const rejected = (reason: string) => ({ ok: false as const, reason })
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')]
  let parsed: unknown
  try {
    parsed = JSON.parse(text.slice(start, end + 1))
  } catch {
    return rejected('the model did not answer with valid JSON')
  }
  if (start === -1 || typeof parsed !== 'object' || parsed === null) return rejected('the model did not answer with a JSON object')
  const { scores: list, root_cause = '' } = parsed as Record<string, unknown>
  if (!Array.isArray(list)) return rejected('the model gave no scores')
  const scores = new Map<OutcomeDimension, DimensionScore>()
  for (const item of list) {
    if (typeof item !== 'object' || item === null) return rejected('a score of the model is not an object')
    const { dimension, score, reason, calls = [] } = item as Record<string, unknown>
    if (!outcomeDimensions.includes(dimension as OutcomeDimension)) return rejected('the model scored a dimension that does not exist')
    if (typeof score !== 'number' || !(score >= 0 && score <= 1)) return rejected('a score of the model is not between 0 and 1')
    if (!isSentence(reason, longestReason)) return rejected('a reason of the model is not one short sentence')
    if (!Array.isArray(calls) || calls.some((id) => typeof id !== 'string' || !known.has(id)))
      return rejected('the model named a call that does not exist')
    const fault = faultOf(reason, evidence)
    if (fault !== null) return rejected(fault)
    scores.set(dimension as OutcomeDimension, { dimension: dimension as OutcomeDimension, score, reason: reason.trim() })
  }
  if (scores.size !== outcomeDimensions.length || list.length !== outcomeDimensions.length)
    return rejected('the model did not score every dimension once')
  const outcome = outcomeOf(outcomeDimensions.flatMap((dimension) => scores.get(dimension) ?? []))
  // It need not name a cause.
  if (typeof root_cause === 'string' && root_cause.trim() === '') return { ok: true, outcome, root_cause: null }
  if (!isSentence(root_cause, longestCause)) return rejected('the root cause of the model is not one short text')
  const fault = faultOf(root_cause, evidence)
  return fault === null ? { ok: true, outcome, root_cause: root_cause.trim() } : rejected(fault)
}

function isSentence(value: unknown, longest: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longest && !/[\p{Cc}\p{Cf}]/u.test(value)
}

/** Null if it only says what the records confirm. */
function faultOf(text: string, evidence: readonly string[]): string | null {
  const grounded = groundedIn(text, evidence)
  const name = grounded.ok ? ungroundedProgram(text, evidence) : grounded.name
  if (name !== null) return `the model named "${name.slice(0, longestName)}", which is not in the records`
  const advice = adviceIn(text, evidence)
  return advice === null ? null : `the model gave advice or spoke of permissions ("${advice}"), which is not what it was asked for`
}
