export * from './definition.ts'
export type {
  Workflow,
  WorkflowContent,
  WorkflowDefinition,
  WorkflowEdge,
  WorkflowInput,
  WorkflowListQuery,
  WorkflowNode,
  WorkflowSummary,
} from './schema.ts'
