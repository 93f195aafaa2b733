export * from './fold.ts'
export * from './line.ts'
export type { WorkflowRunEvent, WrittenWorkflowRunEvent } from './schema.ts'
export * from './state.ts'
