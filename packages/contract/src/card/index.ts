export * from './disclosure.ts'
export * from './kind.ts'
export * from './project.ts'
export type { Card } from './schema.ts'
