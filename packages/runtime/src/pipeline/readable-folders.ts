// The folders outside its scope that a run may read: those of its skills, as long as they are what the user assigned.
import { resolve } from 'node:path'
import type { FailureContract } from '@tandem/contract/failure'
import { failureContract } from '../call/outcome.ts'
import type { Effect } from '../call/tool.ts'
import { isInside } from '../path/inside.ts'

export interface ReadableFolders {
  /** Real paths, without links in them. */
  readonly open: readonly string[]
  /** Folders that the run may have been told about, and why they cannot be used now. */
  readonly closed: readonly ClosedFolder[]
}

export interface ClosedFolder {
  readonly folder: string
  readonly message: string
  readonly remedy: string
}

/** Whether the call only reads in these folders. It then needs no approval that another rule only would require for reading in general. */
export function readsOnlyInside({ open }: ReadableFolders, effects: readonly Effect[], workspace: string): boolean {
  if (open.length === 0 || effects.length === 0) return false
  return effects.every((effect) => effect.does === 'read' && open.some((folder) => isInside(resolve(workspace, effect.path), folder)))
}

/** The failure of a call that names a folder which cannot be used any more: without it, the file would just seem to be missing. */
export function closedFolder({ closed }: ReadableFolders, tool: string, args: string): FailureContract | null {
  const found = closed.find(({ folder }) => args.includes(JSON.stringify(folder).slice(1, -1)))
  if (!found) return null
  return failureContract('sandbox_enforcement', {
    source: tool,
    reason_code: 'skill_not_usable',
    message: found.message,
    remedy: found.remedy,
    recoverability: 'user_action',
  })
}
