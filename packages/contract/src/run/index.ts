export type { ApprovalPrompt, Message, QuestionAnswer, QuestionPrompt, ResumeContract, Run, RunStep, ToolCall, Usage } from './schema.ts'
export * from './state.ts'
export * from './step.ts'
