// A checkpoint as it is written and stored.
import type { CheckpointName, RestoreKind, RunCheckpoint } from '@tandem/contract/checkpoint'
import type { FailureTaxonomy } from '@tandem/contract/failure'

/** The position of a run: provided by the run loop, only stored here. */
export type CheckpointCursor = Pick<
  RunCheckpoint,
  | 'run_id'
  | 'agent_id'
  | 'conversation_id'
  | 'run_metadata'
  | 'run_loop_cursor'
  | 'conversation_slice'
  | 'tool_state'
  | 'approval_queue'
  | 'memory_flush_markers'
  | 'recovery_hints'
>

export interface NewCheckpoint {
  readonly checkpoint_id: string
  readonly cursor: CheckpointCursor
  readonly name: CheckpointName
  readonly restore_kind: RestoreKind
  /** Null before a restore, and if a user requested it. */
  readonly tool: string | null
  readonly opaque: boolean
  readonly artifact_count: number
  readonly artifact_bytes: number
  readonly stored_bytes: number
  readonly root: string
  readonly pending_mutation_metadata: RunCheckpoint['pending_mutation_metadata']
  /** For the checkpoint before a restore: what was restored. */
  readonly restored_checkpoint_id: string | null
}

export interface CheckpointRow {
  readonly no: number
  readonly checkpoint_id: string
  readonly run_id: string
  readonly agent_id: string
  readonly conversation_id: string
  readonly name: CheckpointName
  readonly restore_kind: RestoreKind
  readonly tool: string | null
  readonly recovery_chain_id: string
  readonly recovery_chain_version: number
  readonly parent_checkpoint_id: string | null
  readonly artifact_count: number
  readonly artifact_bytes: number
  readonly restored: 0 | 1
  readonly pending_approval: 0 | 1
  readonly taxonomy: FailureTaxonomy
  readonly opaque: 0 | 1
  readonly settled: 'yes' | 'late' | 'no'
  readonly restored_checkpoint_id: string | null
  /** The column may be null for historical reasons; it is always written. */
  readonly root: string
  readonly run_metadata: string
  readonly run_loop_cursor: string
  readonly conversation_slice: string
  readonly tool_state: string
  readonly approval_queue: string
  readonly pending_mutation_metadata: string | null
  readonly memory_flush_markers: string
  readonly recovery_hints: string
  readonly created_at: number
  /** Set when its packs were deleted to free space. */
  readonly contents_deleted_at: number | null
  /** Scans are numbered: a checkpoint taken before another one was settled overlapped with it. */
  readonly taken_scan: number
  readonly settled_scan: number | null
  /** Only if the call started a background command: the scan when the call returned. */
  readonly returned_scan: number | null
  readonly returned_at: number | null
  readonly closed_at: number | null
  readonly processes: string | null
}

/** What retention decides by. */
export type RetainedRow = Pick<
  CheckpointRow,
  'checkpoint_id' | 'conversation_id' | 'created_at' | 'restored' | 'pending_approval' | 'taxonomy' | 'contents_deleted_at'
> & { readonly packs: readonly string[] }
