// Applies the changes of a candidate to a policy, and determines whether they allow more.
import type { PolicyChange, ToolPolicyField } from '@tandem/contract/policy-candidate'
import { canonicalJson } from '@tandem/contract/sync'
import { type ApprovalRule, sandboxModes, type ToolPolicy } from '@tandem/contract/tool'
import { looserInForce } from '../../../policy/call-policies.ts'
import type { ConfiguredPolicy } from './recorded-call.ts'

type FieldChange = PolicyChange & { readonly field: ToolPolicyField }

export function isFieldChange(change: PolicyChange): change is FieldChange {
  return change.field !== 'remembered'
}

/** Of a tool. Changes of other tools are left out. */
export function changedPolicy<Policy extends ToolPolicy>(policy: Policy, tool: string, changes: readonly PolicyChange[]): Policy {
  return { ...policy, ...fields(tool, changes, ({ field, to }) => [[field, JSON.parse(to)]]) }
}

/** The policy with the old value where it still has the new one. */
export function restoredPolicy(policy: ToolPolicy, tool: string, changes: readonly PolicyChange[]): ToolPolicy {
  const isKept = ({ field, to }: FieldChange) => canonicalJson(policy[field]) === to
  return { ...policy, ...fields(tool, changes, (change) => (isKept(change) ? [[change.field, JSON.parse(change.from)]] : [])) }
}

type Entry = readonly [ToolPolicyField, unknown]

function fields(tool: string, changes: readonly PolicyChange[], entriesOf: (change: FieldChange) => readonly Entry[]): Partial<ToolPolicy> {
  const own = changes.filter((change) => change.tool === tool).filter(isFieldChange)
  return Object.fromEntries(own.flatMap(entriesOf))
}

/** The rules that it adds for a tool. */
export function addedRules(tool: string, changes: readonly PolicyChange[]): readonly ApprovalRule[] {
  return changes.flatMap((change) =>
    change.tool === tool && change.field === 'remembered' ? (JSON.parse(change.to) as ApprovalRule[]) : [],
  )
}

export function toolsOf(changes: readonly PolicyChange[]): readonly string[] {
  return [...new Set(changes.map(({ tool }) => tool))]
}

/** In any sandbox mode. A rule that is remembered always allows more. */
export function widens(changes: readonly PolicyChange[], policyOf: (tool: string) => Pick<ConfiguredPolicy, 'policy'>): boolean {
  if (changes.some((change) => !isFieldChange(change))) return true
  return toolsOf(changes).some((tool) =>
    sandboxModes.some((sandbox_mode) => {
      const before = { ...policyOf(tool).policy, sandbox_mode }
      return looserInForce(before, changedPolicy(before, tool, changes), tool).length > 0
    }),
  )
}

/** The changes whose field has another value now than when they were proposed: a person changed it. */
export function overtaken(
  changes: readonly PolicyChange[],
  policyOf: (tool: string) => Pick<ConfiguredPolicy, 'policy'>,
): readonly PolicyChange[] {
  return changes.filter((change) => isFieldChange(change) && canonicalJson(policyOf(change.tool).policy[change.field]) !== change.from)
}

/** Two candidates with the same text propose the same. */
export function changesKey(changes: readonly PolicyChange[]): string {
  return canonicalJson(changes.map(({ tool, field, to }) => [tool, field, to]).toSorted())
}
