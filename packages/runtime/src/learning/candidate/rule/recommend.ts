// The strongest change that the recorded calls of an agent suggest: one at a time.
import type { PolicyCandidate, PolicyCandidateRule, PolicyChange } from '@tandem/contract/policy-candidate'
import { approvedReading } from './approved-reading.ts'
import { approvedRule } from './approved-rule.ts'
import { deniedPath } from './denied-path.ts'
import { failingTool } from './failing-tool.ts'
import { changesKey, widens } from './policy-change.ts'
import type { CandidateRule, Proposal, Recommended } from './recommended.ts'
import type { CallHistory } from './recorded-call.ts'
import { refusedHost } from './refused-host.ts'
import { repeatedCall } from './repeated-call.ts'
import { shortTimeLimit } from './short-time-limit.ts'

/** In the order in which they are preferred if they are equally strong: what restricts comes first. */
export const candidateRules: readonly CandidateRule[] = [
  deniedPath,
  failingTool,
  repeatedCall,
  refusedHost,
  shortTimeLimit,
  approvedRule,
  approvedReading,
]

export interface EarlierCandidate extends Pick<PolicyCandidate, 'id' | 'state' | 'changes' | 'adopted_at'> {
  readonly evidence_count: number
}

const mostEvidence = 100
const longestTitle = 500
const longestValue = 65_536

export function recommend(history: CallHistory, earlier: readonly EarlierCandidate[]): Recommended | null {
  const [strongest] = strongestFirst(proposalsOf(history)).filter(({ proposal }) => isNew(proposal, earlier))
  return strongest ? toRecommended(strongest, history) : null
}

export interface RuledProposal {
  readonly rule: PolicyCandidateRule
  readonly proposal: Proposal
}

export function proposalsOf(history: CallHistory): readonly RuledProposal[] {
  return candidateRules.flatMap(({ rule, propose }) => propose(history).map((proposal) => ({ rule, proposal })))
}

/** Without what could not be stored. */
export function strongestFirst(all: readonly RuledProposal[]): readonly RuledProposal[] {
  return all.filter(({ proposal }) => isStorable(proposal)).toSorted((one, other) => strength(other.proposal) - strength(one.proposal))
}

export function toRecommended({ rule, proposal }: RuledProposal, { policyOf }: Pick<CallHistory, 'policyOf'>): Recommended {
  const { title, rationale, changes, because } = proposal
  return {
    ...{ rule, rationale, changes },
    title: title.length <= longestTitle ? title : `${title.slice(0, longestTitle - 1)}…`,
    widens: widens(changes, policyOf),
    evidence: because.slice(-mostEvidence).map(({ run_id, call_id }) => ({ run_id, call_id })),
    evidence_count: evidenceCount(proposal),
  }
}

function evidenceCount({ because, asked = 0 }: Proposal): number {
  return Math.max(because.length, asked)
}

function strength(proposal: Proposal): number {
  return evidenceCount(proposal) / proposal.needed
}

/** A scope can be longer than a change may be. */
function isStorable({ changes }: Proposal): boolean {
  return changes.every(({ from, to }) => from.length <= longestValue && to.length <= longestValue)
}

/** Nothing is proposed for what another candidate still changes. What was rejected comes again only with twice as much evidence. */
export function isNew(proposal: Proposal, earlier: readonly EarlierCandidate[]): boolean {
  const key = changesKey(proposal.changes)
  if (openFor(proposal, earlier)) return false
  return earlier.every((one) => isOpen(one) || changesKey(one.changes) !== key || evidenceCount(proposal) >= 2 * one.evidence_count)
}

/** The candidate that is open for one of the fields that it changes. */
export function openFor({ changes }: Proposal, earlier: readonly EarlierCandidate[]): EarlierCandidate | undefined {
  return earlier.find((one) => isOpen(one) && one.changes.some((taken) => changes.some((change) => isSameField(taken, change))))
}

/** Rules are independent of each other. */
function isSameField(one: PolicyChange, other: PolicyChange): boolean {
  return one.tool === other.tool && one.field === other.field && (one.field !== 'remembered' || one.to === other.to)
}

function isOpen({ state, adopted_at }: EarlierCandidate): boolean {
  return state !== 'shadow_failed' && state !== 'rolled_back' && adopted_at === null
}
