export const artifactTypes = ['file', 'symlink', 'directory', 'absent'] as const
export type ArtifactType = (typeof artifactTypes)[number]

/** Where a file's content is: stored once by hash, cloned by the file system, or nowhere (a manifest has only its metadata). */
export const artifactStorages = ['blob', 'clone', 'none'] as const
export type ArtifactStorage = (typeof artifactStorages)[number]

/** What happened to a path since the checkpoint; with the last two it cannot simply be restored. */
export const restoreChanges = ['created', 'changed', 'deleted', 'conflict', 'unrecoverable'] as const
export type RestoreChange = (typeof restoreChanges)[number]

/** Where in its loop a run was when a checkpoint was created. */
export const loopPhases = ['model_call', 'approval', 'tool_call', 'between_turns'] as const
export type LoopPhase = (typeof loopPhases)[number]

/** What a restore does with a file that someone else changed after the run did. */
export const conflictChoices = ['stop', 'keep', 'overwrite'] as const
export type ConflictChoice = (typeof conflictChoices)[number]

/** `run`: files, calls and messages; the run is paused at that point. `files`: only the files. */
export const restoreScopes = ['run', 'files'] as const
export type RestoreScope = (typeof restoreScopes)[number]

/** `calls`: what the run's calls changed. `background`: what changed while a background command ran, after its call had returned. */
export const restoreGroups = ['calls', 'background'] as const
export type RestoreGroup = (typeof restoreGroups)[number]

/** Which part of the background group a restore includes; a path includes everything below it. */
export type BackgroundSelection = 'none' | 'all' | readonly string[]

/** Why there is no diff of a path. */
export const diffOmissions = [
  'binary',
  'too_large',
  'too_different',
  /** The characters are the same, in another encoding. */
  'same_text',
  'permissions_only',
  'unreadable',
  /** The page contains the maximum number of diffs; request a smaller page. */
  'page_full',
] as const
export type DiffOmission = (typeof diffOmissions)[number]
