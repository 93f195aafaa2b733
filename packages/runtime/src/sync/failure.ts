// Why synchronization is not working, as a failure contract.
import { classifyFailure, type FailureContract } from '@tandem/contract/failure'

const kinds = {
  offline: {
    reason_code: 'cloud_unreachable',
    recoverability: 'retryable',
    message: 'the cloud does not respond',
    remedy: 'Nothing is lost: Tandem retries automatically. Check the network if this continues.',
  },
  failed: {
    reason_code: 'cloud_refused',
    recoverability: 'user_action',
    message: 'the cloud refused the request',
    remedy: 'Tandem retries automatically. If this continues, correct the problem named in the message.',
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
