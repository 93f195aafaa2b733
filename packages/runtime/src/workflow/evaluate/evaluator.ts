// Evaluates the expressions of workflows in a process that can be killed: they come from other people, and JSONata has no limits of its own.
import { evaluateLimits } from './evaluate-limits.ts'
import type { Evaluation, EvaluationFailure, EvaluationResult } from './evaluation.ts'
import { type EvaluationProcess, type EvaluationProcessOptions, startEvaluationProcess } from './evaluation-process.ts'
import { failures, remedies } from './failures.ts'
import { inputText } from './input-text.ts'

export type Evaluated<Value = unknown> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason_code: EvaluationFailure; readonly message: string; readonly remedy: string }

/** Evaluates in the order of the calls. No call throws because of an expression or its data. */
export interface Evaluator {
  /** JSONata about `input`, which is the root of the expression. No result is null. */
  evaluate(expression: string, input: unknown): Promise<Evaluated>
  /** Whether the text contains a match of the regular expression. */
  matches(pattern: string, text: string): Promise<Evaluated<boolean>>
  close(): Promise<void>
}

export type EvaluatorOptions = EvaluationProcessOptions

/** An evaluation has no effect, so it can be repeated when its process was killed, or may have been over a limit for another reason. */
const attempts = 2

/** The process starts with the first evaluation, and ends when there was none for a while. */
export function openEvaluator(options: EvaluatorOptions): Evaluator {
  let running: EvaluationProcess | null = null
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let isClosed = false
  let stayAwake: () => void = () => undefined

  async function started(): Promise<EvaluationProcess | null> {
    if (!running?.isRunning()) running = await startEvaluationProcess(options)
    if (isClosed) await end()
    return running
  }

  async function resultOf(asked: Evaluation): Promise<EvaluationResult> {
    let limit: EvaluationResult | null = null
    for (let attempt = 0; attempt < attempts && !isClosed; attempt++) {
      const process = await started()
      const isNew = process !== null && !process.wasUsed()
      const result = await process?.evaluate(asked)
      if (result && !isOverLimit(result)) return result
      limit ??= result ?? null
      if (result && isNew) return limit ?? result
    }
    return isClosed ? failures.closed : (limit ?? failures.unavailable)
  }

  /** One after another: the process that ends is then known to have ended because of this one. */
  function queued(asked: Evaluation): Promise<EvaluationResult> {
    waiting++
    stayAwake()
    const result = last.then(() => resultOf(asked))
    last = result.then(rest, rest)
    return result
  }

  function rest(): void {
    waiting--
    if (waiting === 0 && !isClosed) stayAwake = options.clock.after(evaluateLimits.idle_ms, () => void end())
  }

  async function end(): Promise<void> {
    const ending = running
    running = null
    await ending?.kill()
  }

  return {
    async evaluate(expression, input) {
      const text = inputText(input)
      return evaluated(typeof text === 'string' ? await queued({ kind: 'expression', expression, input: text }) : text)
    },
    async matches(pattern, text) {
      const isLarge = Buffer.byteLength(text) > evaluateLimits.input_bytes
      return evaluated(isLarge ? failures.largeInput : await queued({ kind: 'pattern', pattern, text })) as Evaluated<boolean>
    },
    async close() {
      isClosed = true
      stayAwake()
      await end()
      await last
    },
  }
}

/** The process may have cleaned up after earlier expressions meanwhile: only in a new one is it certain that it was this one. */
function isOverLimit(result: EvaluationResult): boolean {
  if ('json' in result) return false
  return [failures.slow, failures.memory].some(
    ({ reason_code, message }) => result.reason_code === reason_code && result.message === message,
  )
}

function evaluated(result: EvaluationResult): Evaluated {
  if ('json' in result) return { ok: true, value: JSON.parse(result.json) as unknown }
  const { reason_code, message } = result
  return { ok: false, reason_code, message, remedy: remedies[reason_code] }
}
