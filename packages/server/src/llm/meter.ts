// What a call costs and whether it is allowed: the port between the relay and the quotas.
import type { UsageQuery, UsageReport } from '@tandem/contract/llm'
import type { Operation } from '../operation.ts'

export interface CallUsage {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  /** Not reported: estimated from the size of what was transferred. */
  readonly estimated: boolean
}

export interface CallOutcome {
  readonly status: number
  /** The `provider/model` that answered. */
  readonly model: string
  readonly usage: CallUsage
  readonly aborted: boolean
  readonly attempts: number
  readonly first_byte_ms: number | null
  readonly duration_ms: number
}

export interface Reservation {
  /** OpenAI's `x-ratelimit-*`. */
  readonly headers: Readonly<Record<string, string>>
  /** Only the first call has an effect. Never throws. */
  settle(outcome: CallOutcome): void
}

export interface MeteredCall {
  readonly generation_id: string
  readonly user_id: string
  readonly device_id: string | null
  readonly operation: Operation
  readonly model: string
  readonly estimated_input_tokens: number
  readonly max_output_tokens: number
}

export type ReservationResult =
  | { readonly ok: true; readonly reservation: Reservation }
  | {
      readonly ok: false
      readonly code: 'rate_limited' | 'quota_exceeded' | 'cache_unavailable'
      readonly detail: string
      readonly retry_after_seconds: number
    }

export interface Meter {
  reserve(call: MeteredCall): Promise<ReservationResult>
  report(user_id: string, query: UsageQuery): Promise<UsageReport>
  /** Writes pending rows. */
  close(): Promise<void>
}
