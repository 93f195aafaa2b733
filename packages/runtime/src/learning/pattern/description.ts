// The fields and the summary of a pattern, from contract fields, conditions and mined templates: never from raw output. Pure.
import type { FailureStage, FailureTaxonomy } from '@tandem/contract/failure'
import type { AffectedSubsystem } from '@tandem/contract/learning'
import { subsystemOf } from '../rule/subsystem.ts'
import { conditionText } from './condition.ts'
import type { FailureFact } from './failures.ts'
import { variable } from './template.ts'

export interface PatternDescription {
  readonly taxonomy: FailureTaxonomy
  readonly stage: FailureStage
  readonly source: string
  readonly reason_code: string
  readonly affected_subsystem: AffectedSubsystem
  readonly summary: string
}

/** The summary has no text of the error. */
export function describe({ failure_contract: contract, condition, tool, program, timed_out }: FailureFact): PatternDescription {
  if (contract) {
    const { taxonomy, stage, source, reason_code } = contract
    const summary = conditionText(condition ?? '') || `${source} failed: ${reason_code.replaceAll('_', ' ')}.`
    return { taxonomy, stage, source, reason_code, affected_subsystem: subsystemOf({ stage, taxonomy, tool }), summary }
  }
  const source = program ?? tool ?? 'run'
  const fields = { taxonomy: 'none', stage: 'tool_execution', source, affected_subsystem: 'tools' } as const
  if (condition !== null) return { ...fields, reason_code: condition, summary: conditionText(condition) }
  return { ...fields, reason_code: timed_out ? 'timed_out' : 'command_failed', summary: `${source} failed.` }
}

/** People read it: what differs between the runs is left out of it. */
export function withMessage(summary: string, template: string): string {
  return template === '' ? summary : `${summary} Message: “${template.replaceAll(variable, '…')}”`
}
