// The layers of a policy, in the order in which they apply: what is configured, overlays, intersections, the sandbox mode. Pure.
import { isAbsolute, resolve } from 'node:path'
import { type PolicyLayerKind, type PolicyLayers, policyLayerKinds } from '@tandem/contract/tool'
import { type CallPolicy, type CallPolicyField, differing, looser, stricter } from './strictness.ts'

/** What a layer may ask about the call or the row of the policy matrix that it applies to. */
export interface PolicySubject {
  readonly agent_id: string
  readonly tool: string
  /** Null in the policy matrix of an agent: no run is meant. */
  readonly run_id: string | null
  /** Null when it is not known yet. */
  readonly workspace: string | null
}

/** What a feature adds to the policies of tools. */
export interface PolicyLayer {
  /** As users read it: "skills", "parent agent". */
  readonly name: string
  readonly kind: Exclude<PolicyLayerKind, 'configured'>
  /** What the layer asks for, given what the layers below it allow. Of an intersection or a mode only what is stricter counts. */
  apply(policy: CallPolicy, subject: PolicySubject): CallPolicy
  /** What a person has approved for an overlay that allows more than the layers below it; null without a recorded approval. */
  approved?(subject: PolicySubject): ApprovedWidening | null
}

export interface ApprovedWidening {
  readonly approval_id: string
  /** As it was shown: the overlay may allow no more than this. */
  readonly policy: CallPolicy
}

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
    const [below, asked] = comparable([policy, layer.apply(policy, subject)], subject.workspace)
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
