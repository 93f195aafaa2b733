export type { Task, TaskCreate, TaskError, TaskListQuery, TaskStatusUpdate, TaskSummary } from './schema.ts'
export * from './state.ts'
