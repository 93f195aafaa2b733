export * from './names.ts'
export * from './policy.ts'
export type { ToolOutput, ToolPolicy } from './schema.ts'
export * from './wire-name.ts'
