// What the rules of candidates know of a call: what it would access, how it was decided, and how it ended. Nothing of its output.
import type { FailureTaxonomy, Recoverability } from '@tandem/contract/failure'
import type { ToolOutcome } from '@tandem/contract/run'
import type { ApprovalRule, SandboxMode, ToolPolicy } from '@tandem/contract/tool'
import type { Effect } from '../../../call/tool.ts'
import type { BackgroundFact } from '../../rule/run-facts.ts'

export interface RecordedCall {
  readonly run_id: string
  readonly call_id: string
  readonly tool: string
  /** A digest of its arguments: two calls of a tool with the same key are the same call. */
  readonly key: string
  /** Null if they are not known: the tool no longer exists, or the arguments were not valid. */
  readonly effects: readonly Effect[] | null
  readonly workspace: string
  readonly sandbox_mode: SandboxMode
  readonly outcome: ToolOutcome
  readonly taxonomy: FailureTaxonomy
  readonly reason_code: string | null
  /** The stage of its failure. */
  readonly stage: string | null
  /** Of its failure; null if there is none, or if it was recorded by a version that did not store it. */
  readonly recoverability: Recoverability | null
  /** The answer of the person who was asked; null if no one was. */
  readonly answer: string | null
  readonly edited: boolean
  readonly warned: boolean
  /** What "Always" offered to remember. */
  readonly remembers: readonly ApprovalRule[]
  /** Its hosts that the person named in their own words during the run. */
  readonly named_hosts: readonly string[]
  /** Whether its command reported a failure; false for other calls. */
  readonly command_failed: boolean
  /** A digest of what it returned; null if nothing was compared. */
  readonly result: string | null
  readonly asked_at: number
  /** Null if it did not run. */
  readonly started_at: number | null
  readonly duration_ms: number
  /** If it left a command running: how that ended. */
  readonly background: BackgroundFact | null
  readonly undone: boolean
}

/** The recorded calls of one agent on this device, and its policy. */
export interface CallHistory {
  /** Oldest first. */
  readonly calls: readonly RecordedCall[]
  policyOf(tool: string): ConfiguredPolicy
}

export interface ConfiguredPolicy {
  readonly policy: ToolPolicy
  readonly remembered: readonly ApprovalRule[]
}

export function isDeniedByPerson({ answer, outcome }: RecordedCall): boolean {
  return answer === 'no' && outcome === 'denied'
}

/** Answers of a newer version are not known to approve. */
export function isApprovedByPerson({ answer }: RecordedCall): boolean {
  return answer === 'once' || answer === 'this_run' || answer === 'this_team' || answer === 'always'
}

/** It did what it was for, and still counts. */
export function isSuccess({ outcome, command_failed, undone }: RecordedCall): boolean {
  return outcome === 'succeeded' && !command_failed && !undone
}

/** Stopped by the time limit of the policy. */
export function isCutOff({ outcome }: RecordedCall): boolean {
  return outcome === 'timed_out'
}

/** The shell command that it ran, with its folder; null for other calls. */
export function commandOf({ effects }: RecordedCall): { readonly command: string; readonly cwd: string } | null {
  const found = effects?.find((effect) => effect.does === 'execute' && effect.language === 'shell')
  return found?.does === 'execute' ? { command: found.command, cwd: found.cwd } : null
}

/** How long it took to succeed, also in the background; null if it did not, or if that is not known. */
export function successMs(call: RecordedCall): number | null {
  if (!isSuccess(call)) return null
  return call.background ? call.background.succeeded_after_ms : call.duration_ms
}

export function hostsOf({ effects }: Pick<RecordedCall, 'effects'>): readonly string[] {
  return [...new Set(effects?.flatMap((effect) => (effect.does === 'fetch' || effect.does === 'send' ? [effect.host] : [])) ?? [])]
}

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

export function runsOf(calls: readonly RecordedCall[]): number {
  return new Set(calls.map(({ run_id }) => run_id)).size
}
