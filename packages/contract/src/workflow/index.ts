export * from './definition.ts'
export type {
  Workflow,
  WorkflowCreate,
  WorkflowDefinition,
  WorkflowEdge,
  WorkflowInput,
  WorkflowListQuery,
  WorkflowNode,
  WorkflowSummary,
  WorkflowUpdate,
} from './schema.ts'
