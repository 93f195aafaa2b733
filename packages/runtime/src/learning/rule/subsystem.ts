// The part of Tandem that a failure belongs to, by the stage at which it failed. Pure.
import type { FailureStage } from '@tandem/contract/failure'
import type { AffectedSubsystem } from '@tandem/contract/learning'

const subsystems: Readonly<Record<FailureStage, AffectedSubsystem>> = {
  start: 'model',
  model_call: 'model',
  tool_resolution: 'tools',
  tool_validation: 'tools',
  policy_enforcement: 'policy',
  sandbox_enforcement: 'sandbox',
  checkpoint: 'checkpoint',
  approval: 'approval',
  tool_execution: 'tools',
  restore: 'checkpoint',
  resume: 'checkpoint',
  compaction: 'context',
  sync: 'sync',
  mcp: 'mcp',
  workflow: 'workflow',
  cooperation: 'cooperation',
  memory: 'memory',
  learning: 'none',
  knowledge: 'memory',
  executor: 'executor',
}

export interface FailedAt {
  readonly stage: string
  readonly taxonomy: string
  readonly tool: string | null
}

export function subsystemOf({ stage, taxonomy, tool }: FailedAt): AffectedSubsystem {
  if (taxonomy === 'sandbox_failure') return 'sandbox'
  if (tool?.startsWith('mcp.')) return 'mcp'
  // A stage of a newer version.
  return Object.hasOwn(subsystems, stage) ? subsystems[stage as FailureStage] : 'tools'
}
