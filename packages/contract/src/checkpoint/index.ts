export * from './kind.ts'
export * from './restore.ts'
export * from './retention.ts'
export type { CheckpointArtifact, CheckpointSummary, RestoreCounts, RestoreDiff, RestorePreviewEntry, RunCheckpoint } from './schema.ts'
