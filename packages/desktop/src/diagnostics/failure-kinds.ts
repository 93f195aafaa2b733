import type { RecordedEvent } from '@tandem/contract/command'
import type { FailureContract } from '@tandem/contract/failure'

export interface FailureKind {
  /** The latest failure of this kind. */
  readonly contract: FailureContract
  readonly count: number
  readonly last_at: string
  readonly conversation_id: string | null
}

/** The failures, each kind once, newest first. */
export function failureKinds(events: readonly RecordedEvent[]): readonly FailureKind[] {
  const kinds = new Map<string, FailureKind>()
  const told = new Set<string>()
  for (const { event } of events) {
    const contract = event.failure_contract
    if (!contract) continue
    const kind = failureKindOf(contract)
    const inRun = `${kind}\n${event.run_id}`
    const before = kinds.get(kind)?.count ?? 0
    // A run that ends with a failure repeats the failure that ended it.
    const isTold = event.event === 'run_failed' && told.has(inRun)
    told.add(inRun)
    kinds.delete(kind)
    kinds.set(kind, { contract, count: before + (isTold ? 0 : 1), last_at: event.ts, conversation_id: event.conversation_id })
  }
  return [...kinds.values()].reverse()
}

/** Failures with the same name are of one kind. */
export function failureKindOf({ taxonomy, stage, source, reason_code }: FailureContract): string {
  return [taxonomy, stage, source, reason_code].join('\n')
}
