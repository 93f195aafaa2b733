export * from './approval-title.ts'
export * from './author.ts'
export * from './line.ts'
export * from './preview.ts'
export type {
  ApprovalPrompt,
  BranchPoint,
  CallPreview,
  Message,
  QuestionAnswer,
  QuestionPrompt,
  ResumeContract,
  Run,
  RunStep,
  ToolCall,
  UnknownStep,
  Usage,
  WrittenStep,
} from './schema.ts'
export * from './state.ts'
export * from './step.ts'
