// What learning knows of a run: facts of its journal, in the order in which they happened. Everything is computed from these.
import type { FailureContract } from '@tandem/contract/failure'
import type { ApprovalAnswer, RunState, ToolOutcome, Usage } from '@tandem/contract/run'
import type { ApprovalRule } from '@tandem/contract/tool'

/** How a command ended. */
export interface CommandFact {
  readonly exit_code: number | null
  readonly signal: string | null
  readonly timed_out: boolean
  /** The beginning and the end of what it printed, without terminal escapes. */
  readonly output: string
}

export interface ApprovalFact {
  /** An answer of a newer version may be unknown here. */
  readonly answer: ApprovalAnswer | (string & {})
  readonly reason: string | null
  readonly edited: boolean
  /** What "Always" offered to remember. */
  readonly remembers: readonly ApprovalRule[]
  readonly warned: boolean
  readonly waited_ms: number
}

export interface CallFact {
  readonly run_id: string
  readonly call_id: string
  /** Of the result; of the call if it has none. */
  readonly step_id: string
  readonly seq: number
  readonly tool: string
  /** JSON text, as it ran: with the arguments that the user changed. */
  readonly arguments: string
  /** `interrupted` if there is no result. */
  readonly outcome: ToolOutcome
  readonly failure_contract: FailureContract | null
  readonly command: CommandFact | null
  readonly approval: ApprovalFact | null
  readonly asked_at: number
  /** Null if it did not run. */
  readonly started_at: number | null
  readonly duration_ms: number
  /** If it left a command running. */
  readonly background?: BackgroundFact
  /** A later restore undid it. */
  readonly undone: boolean
}

/** How a command ended that was left running, as far as the agent read it later. */
export interface BackgroundFact {
  /** Null if it failed, was ended, or was not read. */
  readonly succeeded_after_ms: number | null
}

/** An `error` step: a failure outside a call. */
export interface ErrorFact {
  readonly step_id: string
  readonly seq: number
  readonly at: number
  readonly failure_contract: FailureContract
}

export interface RunFacts {
  readonly run_id: string
  readonly agent_id: string
  readonly conversation_id: string
  /** What is evaluated: the end of the run, or a restore. */
  readonly step_id: string
  readonly trigger: 'completed' | 'failed' | 'canceled' | 'restored'
  readonly state: RunState
  readonly failure_contract: FailureContract | null
  readonly workspace: string
  /** Whether a person asked for it, and not a schedule, a workflow or another run. */
  readonly asked_by_person: boolean
  /** The hosts that the person named in their own words during the run. */
  readonly named_hosts: readonly string[]
  readonly calls: readonly CallFact[]
  readonly errors: readonly ErrorFact[]
  readonly turns: number
  readonly answered: boolean
  readonly usage: Usage
  readonly duration_ms: number
  /** When the evaluated step was recorded. */
  readonly ended_at: number
  /** What the user wrote next says that something was wrong. */
  readonly corrected: boolean
  readonly restores: number
  readonly open_todos: number
  /** Of the agent's earlier runs; null if there are fewer than five. */
  readonly usual: { readonly tokens: number; readonly duration_ms: number; readonly turns: number } | null
}

/** A run, and which of its failures are results. */
export interface JudgedRun extends RunFacts {
  /** The ids of calls whose failure is a result, such as that of a search that finds nothing. */
  readonly expected?: ReadonlySet<string>
}

/** A call that failed, and whose failure is not a result. */
export function isFailure(call: CallFact, { expected }: Pick<JudgedRun, 'expected'>): boolean {
  return isFailedCall(call) && !expected?.has(call.call_id)
}

/** A call that did not do what it was for: it failed, was stopped, or its command reported a failure. */
export function isFailedCall({ outcome, command }: Pick<CallFact, 'outcome' | 'command'>): boolean {
  if (outcome === 'failed' || outcome === 'timed_out') return true
  return command !== null && (command.timed_out || command.signal !== null || (command.exit_code !== null && command.exit_code !== 0))
}

/** A person said no. */
export function isDenied({ approval, outcome }: Pick<CallFact, 'approval' | 'outcome'>): boolean {
  return outcome === 'denied' && approval?.answer === 'no'
}
