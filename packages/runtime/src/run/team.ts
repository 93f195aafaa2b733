// What the loop needs to know about the team of a run: the runs it started, and the run that started it.
import type { FailureContract } from '@tandem/contract/failure'
import type { ApprovalRule } from '@tandem/contract/tool'
import type { RunRecord } from '../journal/run-record.ts'
import type { CallStatus, ReadyCall } from '../pipeline/prepared-call.ts'
import type { ActiveRun } from './active-run.ts'

export interface RunTeam {
  /** Writes to the journal what has arrived for the run: messages of the user and of members, and how members ended. */
  deliver(activeRun: Pick<ActiveRun, 'run' | 'append'>): void
  /** Whether the run started members that have not ended. It does not end before them. */
  hasOpenMembers(run_id: string): boolean
  /** Sets aside what a call of the model can cost at most. `turns` is 0 for one that is no turn of the run. */
  reserve(run: RunRecord, tokens: number, turns?: number): Reservation | OverBudget
  /** What its place in a team means for its calls; null for a run without a team. */
  membershipOf(run: RunRecord): Membership | null
  /** A member that works in a copy gets it before its first change. Returns whether the folder of the run is another one now. */
  ensureCopy(run: RunRecord, call: ReadyCall, signal: AbortSignal, status: CallStatus): Promise<boolean>
  /** Waits until the call may change files that other members may change, too. */
  enter(run: RunRecord, call: ReadyCall, signal: AbortSignal): Promise<Entered | Kept>
}

export interface Reservation {
  readonly ok: true
  /** The call has ended: only what it has cost counts from now on. */
  release(): void
}

export interface OverBudget {
  readonly ok: false
  readonly failure_contract: FailureContract
}

export interface Membership {
  /** The answers "always" were given to a run of the same agent that started this one: they do not apply. */
  readonly ignores_always: boolean
  /** The only paths of its folder that the run may write; null if it shares its folder with no one. */
  readonly writable: readonly string[] | null
  /** Its folder is a copy. */
  readonly in_copy: boolean
  /** From the answer "this team". */
  rules(tool: string): readonly ApprovalRule[]
}

export interface Entered {
  readonly ok: true
  leave(): void
}

/** Another member changes these files. */
export interface Kept {
  readonly ok: false
  readonly failure_contract: FailureContract
}
