import type { SkillReason, SkillRequirements } from '../skill/index.ts'

/** What the compatibility check covers, and its reason code if the host does not satisfy it. */
export const compatibilityChecks = {
  host_os: 'unsupported_os',
  workspace_markers: 'missing_marker',
  required_sandbox: 'sandbox_too_strict',
  binaries: 'missing_binary',
  env: 'missing_env',
  paths: 'missing_path',
  workspace_write_access: 'workspace_read_only',
  container: 'needs_container',
  virtualenv: 'needs_virtualenv',
  remote_host: 'needs_remote_host',
  remote_executor_protocol: 'executor_protocol_mismatch',
  required_remote_capabilities: 'missing_remote_capability',
} as const satisfies Record<keyof SkillRequirements, SkillReason>
export type CompatibilityCheck = keyof typeof compatibilityChecks

export const compatibilityCheckNames = Object.keys(compatibilityChecks) as CompatibilityCheck[]

/** A new local skill, an existing skill to bind, or a workflow to create. */
export const recommendationKinds = ['local_skill_draft', 'bind_existing_skill', 'workflow'] as const
export type RecommendationKind = (typeof recommendationKinds)[number]

export const recommendationStages = ['draft', 'validation', 'shadow', 'canary', 'live', 'rollback', 'retirement'] as const
export type RecommendationStage = (typeof recommendationStages)[number]

/** Whether a run that a canary matches gets it. */
export const canaryGroups = ['with', 'without'] as const
export type CanaryGroupName = (typeof canaryGroups)[number]
