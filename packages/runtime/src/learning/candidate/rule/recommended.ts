// What a rule proposes: typed changes of one tool's policy, and the calls that led to it.
import type { PolicyCandidateRule, PolicyChange, PolicyChangeField } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import { visibleText } from '@tandem/contract/text'
import type { CallHistory, RecordedCall } from './recorded-call.ts'

export interface Proposal {
  readonly changes: readonly PolicyChange[]
  /** One sentence. */
  readonly title: string
  readonly rationale: string
  /** The calls that led to it, oldest first. */
  readonly because: readonly RecordedCall[]
  /** How many of them are needed for it to arise. */
  readonly needed: number
  /** In how many runs the person asked for it in their own words. */
  readonly asked?: number
}

/** A row of the table of rules. Pure: it reads contract fields, names, paths, hosts and numbers, never output. */
export interface CandidateRule {
  readonly rule: PolicyCandidateRule
  propose(history: CallHistory): readonly Proposal[]
}

export interface Recommended {
  readonly rule: PolicyCandidateRule
  readonly title: string
  readonly rationale: string
  readonly changes: readonly PolicyChange[]
  readonly widens: boolean
  /** The latest of them. */
  readonly evidence: readonly { readonly run_id: string; readonly call_id: string }[]
  /** How many there are. */
  readonly evidence_count: number
}

export function change(tool: string, field: PolicyChangeField, from: unknown, to: unknown): PolicyChange {
  return { tool, field, from: canonicalJson(from), to: canonicalJson(to) }
}

const mostShown = 120

/** A path, a host or a command in a sentence. */
export function shown(text: string): string {
  const visible = visibleText(text)
  return visible.length <= mostShown ? visible : `${visible.slice(0, mostShown - 1)}…`
}

export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

export function runs(count: number): string {
  return count === 1 ? '1 run' : `${count} runs`
}
