// How far the work on a recovery point is.

/** `total` is 0 while it is not known. */
export type FileCount = (files: number, total: number) => void

/** What a caller can do while work on the disk is in progress. */
export interface Following {
  /** Only a survey can be canceled. */
  readonly signal?: AbortSignal | undefined
  /** Called every quarter of a second, and only for work that takes longer than half a second. */
  readonly counted?: FileCount | undefined
}
