// What the user has decided about the `.mcp.json` of a folder. Pure.

/**
 * `new`: nothing was decided yet. `declined`: the user uses none of its servers. `changed`: the file is not the one that was approved, so none
 * of its servers is used.
 */
export type FolderState = 'no_file' | 'new' | 'approved' | 'declined' | 'changed'

export interface FolderDecision {
  /** The current file. */
  readonly file_sha256: string | null
  /** The file whose servers are approved; null if none is. */
  readonly approved: string | null
  /** The file that the user decided about last. */
  readonly decided: string | null
}

/** The first row that applies decides. */
export function folderState({ file_sha256, approved, decided }: FolderDecision): FolderState {
  if (file_sha256 === null) return approved === null ? 'no_file' : 'changed'
  if (approved === file_sha256) return 'approved'
  if (approved !== null) return 'changed'
  return decided === file_sha256 ? 'declined' : 'new'
}
