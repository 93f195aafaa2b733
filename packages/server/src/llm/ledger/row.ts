// One model call as stored in the ledger: its cost and outcome, never its content.

import type { Operation } from '../../operation.ts'
import type { CallOutcome, MeteredCall } from '../meter.ts'

export interface CallRow {
  readonly user_id: string
  readonly generation_id: string
  /** When the call was admitted, in milliseconds since 1970. */
  readonly ts: number
  readonly device_id: string | null
  readonly operation: Operation
  readonly model: string
  readonly status: number
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  readonly aborted: boolean
  readonly attempts: number
  readonly first_byte_ms: number | null
  readonly duration_ms: number
  /** False while the call is in progress, and permanently if its node died before the end was recorded. */
  readonly ended: boolean
}

/** Numbers come from untrusted responses: one that PostgreSQL would reject must not lose the row. */
export function rowOf(call: MeteredCall, ts: number, { status, model, usage, aborted, attempts, ...times }: CallOutcome): CallRow {
  const { user_id, generation_id, device_id, operation } = call
  return {
    user_id,
    generation_id,
    ts,
    device_id,
    operation,
    model,
    status: clampCount(status, small),
    input_tokens: clampCount(usage.input_tokens, mostTokens),
    cached_input_tokens: Math.min(clampCount(usage.cached_input_tokens, mostTokens), clampCount(usage.input_tokens, mostTokens)),
    output_tokens: clampCount(usage.output_tokens, mostTokens),
    estimated: usage.estimated,
    aborted,
    attempts: clampCount(attempts, small),
    first_byte_ms: times.first_byte_ms === null ? null : clampCount(times.first_byte_ms, medium),
    duration_ms: clampCount(times.duration_ms, medium),
    ended: true,
  }
}

/** The row of a call before it has ended: that it was made, and an estimate of the request. */
export function pendingRow(call: MeteredCall, ts: number): CallRow {
  const usage = { input_tokens: call.estimated_input_tokens, cached_input_tokens: 0, output_tokens: 0, estimated: true }
  const known = { status: 0, model: call.model, usage, aborted: false, attempts: 0, first_byte_ms: null, duration_ms: 0 }
  return { ...rowOf(call, ts, known), ended: false }
}

/** The tokens that count against a budget. */
export function tokensOf({ input_tokens, output_tokens }: CallRow): number {
  return input_tokens + output_tokens
}

const small = 32_767
const medium = 2_147_483_647
/** Far above any call, and a century of such calls still adds up exactly. */
const mostTokens = 1_000_000_000

/** An integer from 0 to `most`, for any input. */
export function clampCount(value: number, most = mostTokens): number {
  return Number.isNaN(value) ? 0 : Math.min(most, Math.max(0, Math.round(value)))
}
