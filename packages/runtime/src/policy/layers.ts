// The layers of a policy, in the order in which they apply: what is configured, overlays, intersections, the sandbox mode. Pure.
import { isAbsolute, resolve } from 'node:path'
import { type PolicyLayers, policyLayerKinds, strictlyBlockedTools } from '@tandem/contract/tool'
import type { CallPolicy, CallPolicyField } from '../call/call-policy.ts'
import type { PolicyLayer, PolicySubject } from '../feature/policy-layer.ts'
import { differing, looser, stricter } from './strictness.ts'

export interface LayeredPolicy {
  readonly policy: CallPolicy
  readonly layers: PolicyLayers
}

const configuredLayer: PolicyLayers['in_force'][number] = { name: 'configured policy', kind: 'configured', changes: [] }

export function layeredPolicy(configured: CallPolicy, layers: readonly PolicyLayer[], subject: PolicySubject): LayeredPolicy {
  const in_force = [configuredLayer]
  const ignored: PolicyLayers['ignored'] = []
  let policy = configured
  for (const layer of inOrder(layers)) {
    const { name, kind } = layer
    const wanted = layer.apply(policy, subject)
    if (wanted === policy) continue
    const [below, asked] = comparable([policy, wanted], subject.workspace)
    const widened = kind === 'overlay' ? unapproved(layer, below, asked, subject) : []
    if (widened.length > 0) {
      ignored.push({ name, kind, changes: [...widened] })
      continue
    }
    const next = kind === 'overlay' ? asked : stricter(below, asked)
    const changes = differing(below, next)
    if (changes.length === 0) continue
    in_force.push({ name, kind, changes: [...changes] })
    policy = next
  }
  return { policy, layers: { in_force, ignored } }
}

/**
 * What the sandbox mode takes away from a policy, whatever was approved. In `strict` only hosts that were named are in scope: "every host"
 * names none. For a tool of a server it means those its consent names.
 */
export const strictModeLayer: PolicyLayer = {
  name: 'sandbox mode strict',
  kind: 'mode',
  apply(policy, { tool }) {
    if (policy.sandbox_mode !== 'strict') return policy
    if (strictlyBlockedTools.some((blocked) => blocked === tool)) return { ...policy, approval_mode: 'deny' }
    if (tool.startsWith('mcp.')) return policy
    const hosts = policy.network_scope.hosts.filter((host) => !/^\*(?::\d+)?$/.test(host))
    return { ...policy, network_scope: { hosts } }
  },
}

function inOrder(layers: readonly PolicyLayer[]): readonly PolicyLayer[] {
  return policyLayerKinds.flatMap((kind) => layers.filter((layer) => layer.kind === kind))
}

/** The fields in which an overlay allows more than it may. */
function unapproved(layer: PolicyLayer, policy: CallPolicy, asked: CallPolicy, subject: PolicySubject): readonly CallPolicyField[] {
  const widened = looser(policy, asked)
  if (widened.length === 0) return []
  const approved = layer.approved?.(subject) ?? null
  if (approved === null) return widened
  const beyond = looser(approved.policy, asked)
  return widened.filter((field) => beyond.includes(field))
}

/** In a known workspace, a folder is the same by its relative and by its absolute name. */
function comparable(policies: readonly [CallPolicy, CallPolicy], workspace: string | null): readonly [CallPolicy, CallPolicy] {
  const [one, other] = policies
  const isRelative = [...one.fs_scope.roots, ...other.fs_scope.roots].every((root) => !isAbsolute(root))
  return workspace === null || isRelative ? policies : [placed(one, workspace), placed(other, workspace)]
}

function placed(policy: CallPolicy, workspace: string): CallPolicy {
  const { roots, globs } = policy.fs_scope
  return { ...policy, fs_scope: { roots: roots.map((root) => resolve(workspace, root)), globs } }
}
