// Why synchronization stands still, as everything that fails is told.
import { classifyFailure, type FailureContract } from '@tandem/contract/failure'

const kinds = {
  offline: {
    reason_code: 'cloud_unreachable',
    recoverability: 'retryable',
    message: 'the cloud does not answer',
    remedy: 'Nothing is lost: it is tried again by itself. Check the network if it lasts.',
  },
  failed: {
    reason_code: 'cloud_refused',
    recoverability: 'user_action',
    message: 'the cloud refused what it was asked',
    remedy: 'See what the message says; it is tried again by itself.',
  },
} as const

export function syncFailure(state: keyof typeof kinds, reason: string | null): FailureContract {
  const { message, remedy, ...kind } = kinds[state]
  return {
    taxonomy: classifyFailure({ stage: 'sync' }),
    stage: 'sync',
    source: 'sync',
    ...kind,
    details: { message: (reason || message).slice(0, 20_000), remedy },
  }
}
