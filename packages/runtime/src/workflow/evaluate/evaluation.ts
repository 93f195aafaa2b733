// What the runtime asks the evaluator process, and what it answers. Values cross as JSON text.
import type { ResourceUse } from './resource-use.ts'

export type Evaluation =
  | { readonly kind: 'expression'; readonly expression: string; readonly input: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly text: string }

/** Why there is no value. */
export type EvaluationFailure =
  /** It does not parse, or uses a function that workflows do not have. */
  | 'expression_invalid'
  /** An error while it ran, or a result that is not JSON. */
  | 'expression_failed'
  | 'expression_slow'
  /** Its memory, its input or its result is over the limit. */
  | 'expression_too_large'
  | 'evaluator_unavailable'

export interface FailedEvaluation {
  readonly reason_code: EvaluationFailure
  readonly message: string
}

export type EvaluationResult = { readonly json: string } | FailedEvaluation

/** What the process sends: once that it is ready, then one result per evaluation. After `last` it ends. */
export type EvaluationMessage = 'ready' | EvaluationResult | { readonly last: FailedEvaluation }

/** What the thread sends to the main thread of its process. `begun` is what the process has used before the evaluation. */
export type ThreadMessage = 'ready' | EvaluationResult | { readonly begun: ResourceUse }
