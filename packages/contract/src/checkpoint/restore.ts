export const artifactTypes = ['file', 'symlink', 'directory', 'absent'] as const
export type ArtifactType = (typeof artifactTypes)[number]

/** Where a file's content is: kept once by hash, cloned by the file system, or nowhere (a manifest knows only its outline). */
export const artifactStorages = ['blob', 'clone', 'none'] as const
export type ArtifactStorage = (typeof artifactStorages)[number]

/** What happened to a path since the checkpoint; the last two say that it can't simply be put back. */
export const restoreChanges = ['created', 'changed', 'deleted', 'conflict', 'unrecoverable'] as const
export type RestoreChange = (typeof restoreChanges)[number]

/** Where in its loop a run stood when a checkpoint was taken. */
export const loopPhases = ['model_call', 'approval', 'tool_call', 'between_turns'] as const
export type LoopPhase = (typeof loopPhases)[number]

/** What a restore does with a file that someone else changed after the run did. */
export const conflictChoices = ['stop', 'keep', 'overwrite'] as const
export type ConflictChoice = (typeof conflictChoices)[number]

/** `calls`: what the run's calls changed. `background`: what changed while a background command ran, after its call had returned. */
export const restoreGroups = ['calls', 'background'] as const
export type RestoreGroup = (typeof restoreGroups)[number]

/** What of the background group a restore takes along; paths stand for what is below them, too. */
export type BackgroundSelection = 'none' | 'all' | readonly string[]

/** Why a path has no diff that could be shown. */
export const diffOmissions = [
  'binary',
  'too_large',
  'too_different',
  /** The letters are the same, in another encoding. */
  'same_text',
  'permissions_only',
  'unreadable',
  /** The page holds as many diffs as a page may; a smaller page has room. */
  'page_full',
] as const
export type DiffOmission = (typeof diffOmissions)[number]
