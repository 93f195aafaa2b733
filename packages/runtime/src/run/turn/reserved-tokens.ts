// What a turn may cost, set aside before its model is called, so that members of a team cannot spend the same tokens twice.
import type { FailureContract } from '@tandem/contract/failure'
import type { RunRecord } from '../../journal/run-record.ts'
import type { LoopPorts } from '../ports.ts'
import type { Reservation } from '../team.ts'

export interface ReservedTokens {
  /** Why nothing more can be spent; null if the call can be made. */
  take(tokens: number): FailureContract | null
  release(): void
}

export function openReservedTokens({ team }: Pick<LoopPorts, 'team'>, run: RunRecord): ReservedTokens {
  let held: Reservation | null = null

  function release(): void {
    held?.release()
    held = null
  }

  return {
    release,
    take(tokens) {
      release()
      const reserved = team.reserve(run, tokens)
      if (!reserved.ok) return reserved.failure_contract
      held = reserved
      return null
    },
  }
}
