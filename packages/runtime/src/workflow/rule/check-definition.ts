// Every mistake of a definition at once, each with its place. Calls are checked when the rest is right.
import { checkWorkflow, type WorkflowDefinition, type WorkflowIssue } from '@tandem/contract/workflow'
import type { WorkflowRecords } from '../record/workflow-records.ts'
import { type ArgumentsOf, checkTools } from './check-tools.ts'

export type CheckDefinition = (definition: WorkflowDefinition, workflow_id?: string | null) => WorkflowIssue[]

export function definitionChecker(records: Pick<WorkflowRecords, 'get'>, argumentsOf: ArgumentsOf): CheckDefinition {
  return (definition, workflow_id = null) => {
    const issues = checkWorkflow(definition, { workflow_id, definitionOf: (id) => records.get(id)?.definition })
    return issues.length > 0 ? issues : checkTools(definition, argumentsOf)
  }
}
