import Type, { type Static } from 'typebox'
import { failureTaxonomies } from '../failure/index.ts'
import { limits } from '../limits/index.ts'
import { runStates } from '../run/state.ts'
import { Count, Flag, Id, Key, Line, listOf, nullable, object, oneOf, Sha256, Text, Timestamp, Version } from '../shape.ts'
import { SandboxMode, ToolName } from '../tool/schema.ts'
import { type CheckpointName, checkpointNames, restoreKinds } from './kind.ts'
import { artifactStorages, artifactTypes, diffOmissions, loopPhases } from './restore.ts'

const Path = Type.String({ minLength: 1, maxLength: 4_096 })

export const RestoreKind = oneOf(restoreKinds)

/** What a list of recovery points shows. */
const summary = {
  checkpoint_id: Id,
  run_id: Id,
  agent_id: Key,
  conversation_id: Id,
  name: oneOf(Object.keys(checkpointNames) as CheckpointName[]),
  restore_kind: RestoreKind,
  /** What is about to run; null before a restore, and for a point created on demand. */
  tool: nullable(ToolName),
  /** The first paths that the call names, to distinguish one point from another. */
  targets: listOf(Path, { maxItems: 3 }),
  recovery_chain_id: Id,
  recovery_chain_version: Version,
  parent_checkpoint_id: nullable(Id),
  artifact_count: Count,
  artifact_bytes: Count,
  restored: Flag,
  pending_approval: Flag,
  taxonomy: oneOf(failureTaxonomies),
  created_at: Timestamp,
  /** Set when its contents were deleted to free space: its files can no longer be restored. */
  contents_deleted_at: nullable(Timestamp),
  /** Null unless the call left a command running: the point stays open until its processes have ended. */
  background: nullable(
    object({
      returned_at: Timestamp,
      closed_at: nullable(Timestamp),
      /** The processes ended while the runtime was not running, so their end was not observed. */
      late: Flag,
    }),
  ),
}

export const CheckpointSummary = object(summary)
export type CheckpointSummary = Static<typeof CheckpointSummary>

/** A recovery point. The journal contains what happened; this contains the position of the run in it. */
export const RunCheckpoint = object({
  ...summary,
  run_metadata: object({
    state: oneOf(runStates),
    title: Line,
    device_id: Key,
    model: Line,
    sandbox_mode: SandboxMode,
    workspace: Path,
    started_at: Timestamp,
  }),
  run_loop_cursor: object({ seq: Count, turn: Count, phase: oneOf(loopPhases), step_id: nullable(Id) }),
  conversation_slice: object({ from_seq: Count, through_seq: Count }),
  tool_state: object({ through_seq: Count, open_call_ids: listOf(Key) }),
  approval_queue: listOf(object({ approval_id: Id, call_id: Key, tool: ToolName, seq: Count, requested_at: Timestamp })),
  pending_mutation_metadata: nullable(
    object({
      call_id: Key,
      tool: ToolName,
      /** The folder that the restore is limited to. */
      scope: object({ root: Path, files: Count, bytes: Count }),
      /** Paths that the call names, including explicit output targets of a command. */
      targets: listOf(Path),
      unprotected: listOf(Text, { description: 'What a restore does not cover' }),
    }),
  ),
  /** Up to where the run's memory was written. Before the first write, and without memory: through 0, with no time. */
  memory_flush_markers: object({ flushed_through_seq: Count, last_flush_at: nullable(Timestamp) }),
  recovery_hints: listOf(Text, { maxItems: 50 }),
})
export type RunCheckpoint = Static<typeof RunCheckpoint>

const ofArtifact = { artifact_id: Id, checkpoint_id: Id, run_id: Id, path: Path, created_at: Timestamp }
const Mode = Type.Integer({ minimum: 0, maximum: 0o7777, description: 'Permission bits' })

/** A path before the modification. `absent` means that a restore removes it. */
export const CheckpointArtifact = Type.Union([
  object({
    ...ofArtifact,
    type: Type.Literal('file'),
    mode: Mode,
    size: Count,
    mtime: Timestamp,
    /** Null if the content was not read. */
    sha256: nullable(Sha256),
    storage: oneOf(artifactStorages),
  }),
  object({ ...ofArtifact, type: Type.Literal('symlink'), link_target: Path, mtime: Timestamp }),
  object({ ...ofArtifact, type: Type.Literal('directory'), mode: Mode, mtime: Timestamp }),
  object({ ...ofArtifact, type: Type.Literal('absent') }),
])
export type CheckpointArtifact = Static<typeof CheckpointArtifact>

/** What a restore would do to a text: lines with `-` are there now, lines with `+` are restored. A link is shown as its target. */
export const RestoreDiff = Type.Union([
  object({
    kind: Type.Literal('text'),
    /** Hunks of a unified diff without its header, with unchanged text of the files: the user interface makes hidden characters visible. */
    hunks: Type.String({ maxLength: limits.restore_diff_characters }),
    lines_added: Count,
    lines_removed: Count,
    /** `hunks` is incomplete. */
    truncated: Flag,
  }),
  object({ kind: Type.Literal('none'), why: oneOf(diffOmissions) }),
])
export type RestoreDiff = Static<typeof RestoreDiff>

const ofEntry = {
  path: Path,
  type: oneOf(artifactTypes),
  background: Type.Optional(Type.Literal(true, { description: 'Changed while a background command ran: restored only if it is selected' })),
  running: Type.Optional(Type.Literal(true, { description: 'That command still runs: selecting the path ends it' })),
}
const ofReachable = {
  ...ofEntry,
  /** Present if it was requested and the path is a file or a link. */
  diff: Type.Optional(RestoreDiff),
  lost: Type.Optional(listOf(Text, { maxItems: 10, description: 'What is not restored with the path, and why' })),
}

/** What a restore would do to one path: remove what was created, revert what was changed, recreate what was deleted. */
export const RestorePreviewEntry = Type.Union([
  object({ ...ofReachable, change: Type.Literal('created') }),
  object({ ...ofReachable, change: Type.Literal('changed') }),
  object({ ...ofReachable, change: Type.Literal('deleted') }),
  object({ ...ofReachable, change: Type.Literal('conflict'), reason: Text }),
  object({ ...ofEntry, change: Type.Literal('unrecoverable'), reason: Text }),
])
export type RestorePreviewEntry = Static<typeof RestorePreviewEntry>

/** Which part of the background group a restore includes; a path includes everything below it. */
export const BackgroundSelection = Type.Union([Type.Literal('none'), Type.Literal('all'), listOf(Path, { maxItems: 10_000 })])

/** The number of paths per change. */
export const RestoreCounts = object({ created: Count, changed: Count, deleted: Count, conflict: Count, unrecoverable: Count })
export type RestoreCounts = Static<typeof RestoreCounts>
