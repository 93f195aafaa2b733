export type { Task, TaskCreate, TaskError, TaskListQuery, TaskStatusUpdate } from './schema.ts'
export * from './state.ts'
