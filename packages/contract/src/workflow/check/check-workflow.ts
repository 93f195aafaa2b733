// The rules of a valid workflow. The cloud stores it, a device runs it; both refuse the same mistakes.
import type { WorkflowDefinition } from '../schema.ts'
import { checkEdges } from './check-edges.ts'
import { checkLoops } from './check-loops.ts'
import { checkNames } from './check-names.ts'
import { checkSubworkflows, type KnownWorkflows } from './check-subworkflows.ts'
import { checkTemplates } from './check-templates.ts'
import { checkTypes } from './check-types.ts'
import { WorkflowGraph } from './graph.ts'
import type { WorkflowIssue } from './issue.ts'

export type { KnownWorkflows } from './check-subworkflows.ts'
export { valueProblem } from './check-types.ts'
export { type GraphNode, WorkflowGraph } from './graph.ts'
export type { WorkflowIssue } from './issue.ts'
export { type KnownReferences, knownReferences } from './known-references.ts'

/** All mistakes because of which `definition` cannot run; empty if it is valid. */
export function checkWorkflow(definition: WorkflowDefinition, others?: KnownWorkflows): WorkflowIssue[] {
  const graph = new WorkflowGraph(definition)
  return [
    ...checkNames(definition),
    ...checkEdges(definition, graph),
    ...checkLoops(definition, graph),
    ...checkTemplates(definition, graph),
    ...checkTypes(definition, graph),
    ...(others ? checkSubworkflows(definition, graph, others) : []),
  ]
}
