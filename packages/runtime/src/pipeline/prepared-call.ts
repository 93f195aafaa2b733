// A call on its way through the stages, and what it belongs to.
import type { FailureContract } from '@tandem/contract/failure'
import type { ApprovalAnswer, ToolOutcome } from '@tandem/contract/run'
import type { ApprovalRule, PolicyLayers, SandboxMode } from '@tandem/contract/tool'
import type { CallPolicy } from '../call/call-policy.ts'
import type { Effect, Tool } from '../call/tool.ts'
import type { CheckpointPlan } from '../checkpoint/plan.ts'

/** What is being done for a call, for the user. Each text replaces the last one; an empty one ends it. */
export type CallStatus = (text: string) => void

/** The run that a call belongs to. */
export interface CallingRun {
  readonly agent_id: string
  readonly conversation_id: string
  readonly run_id: string
  readonly workspace: string
  readonly temp: string
  readonly sandbox_mode: SandboxMode
  /** The calls of a tool that the user allowed for this run. */
  remembered(tool: string): readonly ApprovalRule[]
  /** See `CallScope`. */
  readonly writable?: readonly string[]
  /** Its folder is a copy that exists only for this run: "always" is not offered. */
  readonly in_copy?: boolean
  /** It belongs to a team, so "this team" is offered where "this run" is. */
  readonly in_team?: boolean
  /** The answers "always" of its agent do not apply: see `run/team.ts`. */
  readonly ignores_always?: boolean
  /** Whether a person has approved the call before it was requested, with the workflow that it is part of. */
  isApproved?(call: AskedCall): boolean
  readonly status?: CallStatus
}

export interface RequestedCall {
  readonly call_id: string
  readonly tool: string
  readonly arguments: string
}

export interface ReadyCall extends RequestedCall {
  readonly literal: Tool
  readonly input: unknown
  readonly effects: readonly Effect[]
  readonly looks: boolean
  readonly policy: CallPolicy
  /** The layers of the policy. */
  readonly layers: PolicyLayers
  /** See `CallScope`. */
  readonly writable?: readonly string[]
  /** See `CallScope`: as it was when the call was prepared. */
  readonly readable?: readonly string[]
  readonly fingerprint: string
  /** What the call runs or sends besides its arguments. */
  readonly digest: string | null
  /** The real paths of files that other programs run, as shown in the approval; none for a call without an approval. */
  readonly powers: readonly string[]
  /** The rules of the answer "always" that allow it without an approval. */
  readonly covered_by?: readonly ApprovalRule[]
  /** The warnings of its approval, if it had one. */
  readonly warnings?: readonly string[]
}

export interface AskedCall extends ReadyCall {
  readonly plan: CheckpointPlan | null
  readonly choices: readonly ApprovalAnswer[]
  readonly remembers: readonly ApprovalRule[]
  readonly warnings: readonly string[]
  readonly notes: readonly string[]
  /** Digests of its commands with the files that they take instructions from. */
  readonly instructions: readonly string[]
}

/** An output of any size, shortened to fit a record. The whole output is kept in a file. */
export interface BoundOutput {
  readonly output: unknown
  readonly output_file: string | null
  readonly truncated: boolean
}

export interface CallResult extends BoundOutput {
  readonly outcome: ToolOutcome
  readonly failure_contract: FailureContract | null
}

export type Prepared =
  | { readonly state: 'refused'; readonly result: CallResult }
  | { readonly state: 'ask'; readonly call: AskedCall }
  | { readonly state: 'ready'; readonly call: ReadyCall }
