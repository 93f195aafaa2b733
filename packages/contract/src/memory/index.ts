// Long-term memory: kinds, how long each is kept, how they relate.
export * from './distillation.ts'
export * from './dropped.ts'
export * from './export.ts'
export * from './fate.ts'
export * from './kind.ts'
export * from './relationship.ts'
export type {
  AgentIdentityProfile,
  Evidence,
  Memory,
  MemoryDecision,
  MemoryHeartbeatReview,
  MemoryQuote,
  MemoryRelationship,
  MemoryRelationshipEntity,
  MemoryResolution,
  ProceduralMemoryPolicy,
  Procedure,
  ProcedureStep,
  Profile,
  RunningReview,
  Signal,
  UserCorrection,
  UserModel,
} from './schema.ts'
export * from './signal-name.ts'
export * from './source.ts'
export * from './state.ts'
