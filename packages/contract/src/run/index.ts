export * from './author.ts'
export * from './line.ts'
export type {
  ApprovalPrompt,
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
