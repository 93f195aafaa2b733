// What is learned from a finished run: its outcome, a reflection on it, patterns over many runs, and gaps.
export * from './cost.ts'
export * from './outcome.ts'
export type {
  BehaviorTrace,
  FailurePattern,
  GapResult,
  MemoryWritebackCandidate,
  OutcomeEvaluation,
  Reflection,
  SkillGapAnalysis,
} from './schema.ts'
export * from './writeback.ts'
