// The result of an attempt, when the next one is, and whether the outcome differs from the one before.
import { type NegotiationResult, negotiationFailures } from '@tandem/contract/executor'
import { classifyFailure, type FailureContract } from '@tandem/contract/failure'
import { timestamp } from '../../clock/clock.ts'
import type { NegotiationProblem, Reading } from './reading.ts'
import { lifetime, renewalDelay, retryDelay } from './timing.ts'

export interface Attempted {
  readonly executor_id: string
  readonly executor_url: string
  readonly name: string
}

export function resultOf(
  executor: Attempted,
  reading: Reading,
  before: NegotiationResult | null,
  now: number,
  random: number,
): NegotiationResult {
  const { executor_id, executor_url } = executor
  const at = timestamp(now)
  if (reading.outcome === 'failed') {
    const { problem } = reading
    const failures = before?.outcome === 'failed' ? before.failures + 1 : 1
    const canRecover = negotiationFailures[problem.reason].recoverability === 'retryable'
    return {
      ...{ executor_id, executor_url, outcome: 'failed', reason: problem.reason },
      failure_contract: failureContract(executor, problem),
      failures,
      attempted_at: at,
      next_attempt_at: timestamp(now + retryDelay(failures, canRecover, random)),
    }
  }
  const { expires_at, ...value } = reading.value
  const lifetime_ms = lifetime(expires_at === null ? null : Date.parse(expires_at), now)
  return {
    ...{ executor_id, executor_url, outcome: 'negotiated' },
    ...value,
    negotiated_at: at,
    expires_at: timestamp(now + lifetime_ms),
    next_attempt_at: timestamp(now + renewalDelay(lifetime_ms, random)),
  }
}

/** The first outcome is a change; another reason of a failure is one, too. */
export function isOtherOutcome(before: NegotiationResult | null, after: NegotiationResult): boolean {
  return before === null || before.outcome !== after.outcome || reasonOf(before) !== reasonOf(after)
}

export function reasonOf(result: NegotiationResult) {
  return result.outcome === 'failed' ? result.reason : null
}

const longestMessage = 1_000

/** Its message may quote the executor, so it is limited. */
export function failureContract(
  { name, executor_url }: Omit<Attempted, 'executor_id'>,
  { reason, message }: NegotiationProblem,
): FailureContract {
  const { title, remedy, recoverability } = negotiationFailures[reason]
  return {
    taxonomy: classifyFailure({ stage: 'executor' }),
    stage: 'executor',
    source: 'remote_executor',
    reason_code: reason,
    recoverability,
    details: {
      message: `${title}: ${message}`.slice(0, longestMessage),
      subject: name,
      remedy,
      facts: [{ name: 'address', value: executor_url }],
    },
  }
}
