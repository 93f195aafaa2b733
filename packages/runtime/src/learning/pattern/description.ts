// The fields and the summary of a pattern, from contract fields, conditions and templates: never from raw output. Pure.
import type { FailureStage, FailureTaxonomy } from '@tandem/contract/failure'
import type { AffectedSubsystem } from '@tandem/contract/learning'
import { conditionText } from './condition.ts'
import type { FailureFact } from './failures.ts'

export interface PatternDescription {
  readonly taxonomy: FailureTaxonomy
  readonly stage: FailureStage
  readonly source: string
  readonly reason_code: string
  readonly affected_subsystem: AffectedSubsystem
  readonly summary: string
}

const subsystems: Readonly<Record<FailureStage, AffectedSubsystem>> = {
  start: 'none',
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
  knowledge: 'tools',
  executor: 'executor',
}

export function describe(
  { failure_contract: contract, condition, tool, program, timed_out }: FailureFact,
  template: string,
): PatternDescription {
  const text = template === '' ? '' : ` The text: ${template}`
  if (contract) {
    const { taxonomy, stage, source, reason_code } = contract
    const summary = `${conditionText(condition ?? '') || `${source} failed: ${reason_code}.`}${text}`
    return { taxonomy, stage, source, reason_code, affected_subsystem: subsystemOf(stage, taxonomy), summary }
  }
  const source = program ?? tool ?? 'run'
  const fields = { taxonomy: 'none', stage: 'tool_execution', source, affected_subsystem: 'tools' } as const
  if (condition !== null) return { ...fields, reason_code: condition, summary: `${conditionText(condition)}${text}` }
  return { ...fields, reason_code: timed_out ? 'timed_out' : 'command_failed', summary: `${source} failed.${text}` }
}

function subsystemOf(stage: FailureStage, taxonomy: FailureTaxonomy): AffectedSubsystem {
  if (taxonomy === 'sandbox_failure') return 'sandbox'
  return subsystems[stage] ?? 'none'
}
