// What a feature adds to the policies of tools.
import type { ApprovalRule, PolicyLayerKind } from '@tandem/contract/tool'
import type { CallPolicy } from '../call/call-policy.ts'

/** What a layer may read about the call, or about the row of the policy matrix, that it applies to. */
export interface PolicySubject {
  readonly agent_id: string
  readonly tool: string
  /** Null in the policy matrix of an agent, which has no run. */
  readonly run_id: string | null
  /** Null if it is not known yet. */
  readonly workspace: string | null
  /** It is about the turn that comes next in the run. Otherwise, about a call of its current turn. */
  readonly next_turn?: true
}

export interface PolicyLayer {
  /** As shown to users: "skills", "parent agent". */
  readonly name: string
  readonly kind: Exclude<PolicyLayerKind, 'configured'>
  /**
   * The policy that the layer requires, given the policy of the layers below it: the same object if it changes nothing. Of an intersection
   * or a mode, only what is stricter is applied.
   */
  apply(policy: CallPolicy, subject: PolicySubject): CallPolicy
  /** What a user has approved for an overlay that allows more than the layers below it; null without a recorded approval. */
  approved?(subject: PolicySubject): ApprovedPolicy | null
  /** The approval rules that an overlay adds. All of them must have been approved. */
  remembered?(subject: PolicySubject): readonly ApprovalRule[]
  /** The ids of the canaries that an overlay applies to turns of this agent. They are recorded with each turn. */
  canaries?(agent_id: string): readonly string[]
}

export interface ApprovedPolicy {
  readonly approval_id: string
  /** As it was shown: the overlay may allow no more than this. */
  readonly policy: CallPolicy
  readonly remembered?: readonly ApprovalRule[]
}
