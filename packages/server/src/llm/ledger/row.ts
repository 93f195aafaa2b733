// One call of a model as the ledger keeps it: what it cost and how it went, never what was said.

import type { Operation } from '../../operation.ts'
import type { CallOutcome, MeteredCall } from '../meter.ts'

export interface CallRow {
  readonly user_id: string
  readonly generation_id: string
  /** When the call was let in, in milliseconds since 1970. */
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
  /** False while the call is under way, and for ever if its node died before it could tell the end. */
  readonly ended: boolean
}

/** Numbers come from strangers' replies: one that PostgreSQL would refuse must not cost the row. */
export function rowOf(call: MeteredCall, ts: number, { status, model, usage, aborted, attempts, ...times }: CallOutcome): CallRow {
  const { user_id, generation_id, device_id, operation } = call
  return {
    user_id,
    generation_id,
    ts,
    device_id,
    operation,
    model,
    status: count(status, small),
    input_tokens: count(usage.input_tokens, mostTokens),
    cached_input_tokens: Math.min(count(usage.cached_input_tokens, mostTokens), count(usage.input_tokens, mostTokens)),
    output_tokens: count(usage.output_tokens, mostTokens),
    estimated: usage.estimated,
    aborted,
    attempts: count(attempts, small),
    first_byte_ms: times.first_byte_ms === null ? null : count(times.first_byte_ms, medium),
    duration_ms: count(times.duration_ms, medium),
    ended: true,
  }
}

/** What is known of a call before it has ended: that it was made, and about how much was asked. */
export function rowUnderWay(call: MeteredCall, ts: number): CallRow {
  const usage = { input_tokens: call.estimated_input_tokens, cached_input_tokens: 0, output_tokens: 0, estimated: true }
  const known = { status: 0, model: call.model, usage, aborted: false, attempts: 0, first_byte_ms: null, duration_ms: 0 }
  return { ...rowOf(call, ts, known), ended: false }
}

/** What counts against a budget. */
export function tokensOf({ input_tokens, output_tokens }: CallRow): number {
  return input_tokens + output_tokens
}

const small = 32_767
const medium = 2_147_483_647
/** Far above any call, and a century of such calls still adds up exactly. */
const mostTokens = 1_000_000_000

/** A whole number from 0 to `most`, whatever was said. */
export function count(value: number, most = mostTokens): number {
  return Number.isNaN(value) ? 0 : Math.min(most, Math.max(0, Math.round(value)))
}
