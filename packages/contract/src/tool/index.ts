export * from './names.ts'
export * from './policy.ts'
export type { ApprovalRule, ToolOutput, ToolPolicy } from './schema.ts'
export * from './wire-name.ts'
