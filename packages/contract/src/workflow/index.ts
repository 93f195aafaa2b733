export { mayBeFilled } from './check/check-templates.ts'
export * from './check/check-workflow.ts'
export * from './definition.ts'
export * from './edge-text.ts'
export type {
  Condition,
  Workflow,
  WorkflowContent,
  WorkflowCreate,
  WorkflowDefinition,
  WorkflowEdge,
  WorkflowInput,
  WorkflowListQuery,
  WorkflowNode,
  WorkflowOutput,
  WorkflowSummary,
} from './schema.ts'
export * from './template.ts'
export * from './written-order.ts'
