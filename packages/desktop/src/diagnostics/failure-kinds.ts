import type { RecordedEvent } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'

export interface FailureKind {
  /** The last of its kind. */
  readonly contract: FailureContract
  readonly count: number
  readonly last_at: string
  readonly conversation_id: string | null
}

/** What went wrong, each kind once, the latest first. */
export function failureKinds(events: readonly RecordedEvent[]): readonly FailureKind[] {
  const kinds = new Map<string, FailureKind>()
  for (const { event } of events) {
    const contract = event.failure_contract
    if (!contract) continue
    const key = [contract.taxonomy, contract.stage, contract.source, contract.reason_code].join('\n')
    const known = kinds.get(key)
    kinds.delete(key)
    kinds.set(key, { contract, count: (known?.count ?? 0) + 1, last_at: event.ts, conversation_id: event.conversation_id })
  }
  return [...kinds.values()].reverse()
}
