// The effective policy of each call: the configured policy of its agent, and the layers that features add to it, in this order:
// configured policy, overlays, intersections, sandbox mode.

import { isAbsolute, resolve } from 'node:path'
import { type ApprovalRule, type PolicyLayers, policyLayerKinds, type SandboxMode, strictlyBlockedTools } from '@tandem/contract/tool'
import type { CallPolicy, CallPolicyField } from '../call/call-policy.ts'
import type { Tool } from '../call/tool.ts'
import type { PolicyLayer, PolicySubject } from '../feature/policy-layer.ts'
import type { LayerNames } from '../journal/step.ts'
import { type EffectivePolicy, isOffered, type Policies } from './policies.ts'
import { changedFields, looser, stricter } from './strictness.ts'

/** Whose calls these are: those of a run, or those of an agent in any run (`run_id` and `workspace` are null). */
export interface PolicyOwner extends Omit<PolicySubject, 'tool'> {
  readonly sandbox_mode: SandboxMode
}

export type PolicyInForce = Omit<EffectivePolicy, 'policy'> & LayeredPolicy

export interface CallPolicies {
  of(owner: PolicyOwner, tool: string): PolicyInForce
  /** The tools that the owner can use. Computed in one pass over all tools, because every turn needs it. */
  offered<Named extends Pick<Tool, 'name' | 'only_asks'>>(owner: PolicyOwner, tools: readonly Named[]): Offered<Named>
}

export interface Offered<Named> {
  readonly tools: readonly Named[]
  /** The names of the layers that change the policy of at least one tool, offered or not, and of the ignored layers. */
  readonly layers: LayerNames
  /** The canaries that apply to the next turn of the owner. */
  readonly canaries: readonly string[]
}

export interface CallPoliciesPorts {
  readonly policies: Pick<Policies, 'of' | 'ofAgent'>
  layers(): readonly PolicyLayer[]
  log(line: string): void
}

export function openCallPolicies({ policies, layers, log }: CallPoliciesPorts): CallPolicies {
  const logged = new Set<string>()

  function layered(
    owner: PolicyOwner,
    tool: string,
    configured: EffectivePolicy,
    all: readonly PolicyLayer[],
    turn: Pick<PolicySubject, 'next_turn'> = {},
  ): PolicyInForce {
    const { agent_id, run_id, workspace, sandbox_mode } = owner
    const { added, ...found } = appliedInOrder({ ...configured.policy, sandbox_mode }, all, { agent_id, tool, run_id, workspace, ...turn })
    for (const { name, changes } of found.layers.ignored) {
      const what = changes.length > 0 ? changes.join(', ') : 'approval rules'
      const line = `the policy layer "${name}" is ignored for ${tool} of agent ${agent_id}: it allows more (${what}) and was not approved`
      if (!logged.has(line)) log(line)
      logged.add(line)
    }
    const remembered = added.length === 0 ? configured.remembered : [...configured.remembered, ...added]
    return { ...configured, remembered, ...found }
  }

  return {
    of: (owner, tool) => layered(owner, tool, policies.of(owner.agent_id, tool), inOrder(layers())),
    offered(owner, tools) {
      const [configured, all] = [policies.ofAgent(owner.agent_id), inOrder(layers())]
      const [in_force, ignored] = [new Set<string>(), new Set<string>()]
      const offered = tools.filter((tool) => {
        const found = layered(owner, tool.name, configured(tool.name), all, { next_turn: true })
        for (const { name } of found.layers.in_force) in_force.add(name)
        for (const { name } of found.layers.ignored) ignored.add(name)
        return tool.only_asks || isOffered(found.policy)
      })
      const canaries = all.flatMap((layer) => layer.canaries?.(owner.agent_id) ?? [])
      return { tools: offered, layers: { in_force: [...in_force], ignored: [...ignored] }, canaries }
    },
  }
}

export interface LayeredPolicy {
  readonly policy: CallPolicy
  readonly layers: PolicyLayers
}

const configuredLayer: PolicyLayers['in_force'][number] = { name: 'configured policy', kind: 'configured', changes: [] }

/** Pure. */
export function layeredPolicy(configured: CallPolicy, layers: readonly PolicyLayer[], subject: PolicySubject): LayeredPolicy {
  const { policy, layers: named } = appliedInOrder(configured, inOrder(layers), subject)
  return { policy, layers: named }
}

function appliedInOrder(
  configured: CallPolicy,
  layers: readonly PolicyLayer[],
  subject: PolicySubject,
): LayeredPolicy & { readonly added: readonly ApprovalRule[] } {
  const in_force = [configuredLayer]
  const ignored: PolicyLayers['ignored'] = []
  const added: ApprovalRule[] = []
  let policy = configured
  for (const layer of layers) {
    const { name, kind } = layer
    const wanted = layer.apply(policy, subject)
    const rules = (kind === 'overlay' && layer.remembered?.(subject)) || []
    if (wanted === policy && rules.length === 0) continue
    const [below, asked] = comparable([policy, wanted], subject.workspace)
    const widened = kind === 'overlay' ? unapproved(layer, below, asked, subject) : []
    if (widened.length > 0 || !areApproved(layer, rules, subject)) {
      ignored.push({ name, kind, changes: [...widened] })
      continue
    }
    const next = kind === 'overlay' ? asked : stricter(below, asked)
    const changes = changedFields(below, next)
    if (changes.length === 0 && rules.length === 0) continue
    in_force.push({ name, kind, changes: [...changes] })
    added.push(...rules)
    policy = next
  }
  return { policy, layers: { in_force, ignored }, added }
}

export const strictModeLayer: PolicyLayer = {
  name: 'sandbox mode strict',
  kind: 'mode',
  apply: (policy, { tool }) => underSandboxMode(policy, tool),
}

/**
 * What the sandbox mode leaves of a policy, regardless of approvals. In `strict` only hosts that are listed are in scope, so "every host"
 * allows none. For a tool of an MCP server, these are the hosts of its consent.
 */
export function underSandboxMode(policy: CallPolicy, tool: string): CallPolicy {
  if (policy.sandbox_mode !== 'strict') return policy
  if (strictlyBlockedTools.some((blocked) => blocked === tool)) return { ...policy, approval_mode: 'deny' }
  if (tool.startsWith('mcp.')) return policy
  const hosts = policy.network_scope.hosts.filter((host) => !/^\*(?::\d+)?$/.test(host))
  return { ...policy, network_scope: { hosts } }
}

/**
 * The fields in which `other` allows more than `one`, as they are written or as its sandbox mode leaves them: a host next to "every host"
 * adds nothing to the list, but in `strict` it is the only one that is in scope.
 */
export function looserInForce(one: CallPolicy, other: CallPolicy, tool: string): readonly CallPolicyField[] {
  const { sandbox_mode } = other
  const inForce = looser(underSandboxMode({ ...one, sandbox_mode }, tool), underSandboxMode(other, tool))
  return [...new Set([...looser(one, other), ...inForce])]
}

function inOrder(layers: readonly PolicyLayer[]): readonly PolicyLayer[] {
  return policyLayerKinds.flatMap((kind) => layers.filter((layer) => layer.kind === kind))
}

/** The fields in which an overlay allows more than was approved. */
function unapproved(layer: PolicyLayer, policy: CallPolicy, asked: CallPolicy, subject: PolicySubject): readonly CallPolicyField[] {
  const widened = looserInForce(policy, asked, subject.tool)
  if (widened.length === 0) return []
  const approved = layer.approved?.(subject) ?? null
  if (approved === null) return widened
  const beyond = looserInForce(...comparable([approved.policy, asked], subject.workspace), subject.tool)
  return widened.filter((field) => beyond.includes(field))
}

function areApproved(layer: PolicyLayer, rules: readonly ApprovalRule[], subject: PolicySubject): boolean {
  if (rules.length === 0) return true
  const approved = new Set(layer.approved?.(subject)?.remembered?.map((rule) => JSON.stringify(rule)))
  return rules.every((rule) => approved.has(JSON.stringify(rule)))
}

/** In a known workspace, a relative and an absolute name of the same folder are equal. */
function comparable(policies: readonly [CallPolicy, CallPolicy], workspace: string | null): readonly [CallPolicy, CallPolicy] {
  const [one, other] = policies
  const isRelative = [...one.fs_scope.roots, ...other.fs_scope.roots].every((root) => !isAbsolute(root))
  return workspace === null || isRelative ? policies : [placed(one, workspace), placed(other, workspace)]
}

function placed(policy: CallPolicy, workspace: string): CallPolicy {
  const { roots, globs } = policy.fs_scope
  return { ...policy, fs_scope: { roots: roots.map((root) => resolve(workspace, root)), globs } }
}
