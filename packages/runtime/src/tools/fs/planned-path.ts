// Where a call would write: the real path as far as it exists, and the names of the missing parts.
import { basename, dirname, join } from 'node:path'
import type { ReadableFiles } from '../../call/files.ts'

export interface PlannedPath {
  readonly real: string
  /** The missing parent folders, outermost first. */
  readonly missing: readonly string[]
}

/** `as_itself`: a link at the end of the path is not followed. */
export async function plannedPath(
  path: string,
  files: Pick<ReadableFiles, 'locate' | 'lstat'>,
  parents: 'create_parents' | 'parents_exist',
  end: 'followed' | 'as_itself' = 'followed',
): Promise<PlannedPath> {
  if (end === 'as_itself' && (await exists(path, files))) return { real: (await files.lstat(path)).real, missing: [] }
  try {
    return { real: await files.locate(path, 'write'), missing: [] }
  } catch (error) {
    const folder = dirname(path)
    if (parents === 'parents_exist' || !isMissing(error) || folder === path) throw error
    const above = await plannedPath(folder, files, parents)
    return { real: join(above.real, basename(path)), missing: [...above.missing, above.real] }
  }
}

export async function exists(path: string, files: Pick<ReadableFiles, 'lstat'>): Promise<boolean> {
  try {
    await files.lstat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'reason_code' in error && error.reason_code === 'not_found'
}
