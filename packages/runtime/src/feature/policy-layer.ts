// What a feature adds to the policies of tools.
import type { PolicyLayerKind } from '@tandem/contract/tool'
import type { CallPolicy } from '../call/call-policy.ts'

/** What a layer may ask about the call or the row of the policy matrix that it applies to. */
export interface PolicySubject {
  readonly agent_id: string
  readonly tool: string
  /** Null in the policy matrix of an agent: no run is meant. */
  readonly run_id: string | null
  /** Null when it is not known yet. */
  readonly workspace: string | null
}

export interface PolicyLayer {
  /** As users read it: "skills", "parent agent". */
  readonly name: string
  readonly kind: Exclude<PolicyLayerKind, 'configured'>
  /**
   * What the layer asks for, given what the layers below it allow: the very policy it was given when it changes nothing. Of an intersection or
   * a mode only what is stricter counts.
   */
  apply(policy: CallPolicy, subject: PolicySubject): CallPolicy
  /** What a person has approved for an overlay that allows more than the layers below it; null without a recorded approval. */
  approved?(subject: PolicySubject): ApprovedWidening | null
}

export interface ApprovedWidening {
  readonly approval_id: string
  /** As it was shown: the overlay may allow no more than this. */
  readonly policy: CallPolicy
}
