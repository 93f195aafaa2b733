// The files that runs changed, from their first recovery point to now.
import { stat } from 'node:fs/promises'
import type { ChangedFile, DiffSlice } from '@tandem/contract/command'
import type { CheckpointRow } from '../checkpoint-row.ts'
import type { Engine } from '../engine.ts'
import { type CheckpointFailure, toFailure } from '../failure.ts'
import { historyOfRuns } from '../run-history.ts'
import type { CheckpointRecords } from '../store.ts'
import type { ChangesPage, UndoPaths } from './change-snapshots.ts'

/** By run: where its folder is now. */
export type FoldersOfRuns = ReadonlyMap<string, string>

export interface RunChanges {
  list(runs: FoldersOfRuns, page: ListedPage): Promise<ListedFiles | CheckpointFailure>
  /** Null if the file did not change. */
  diff(runs: FoldersOfRuns, part: DiffPart): Promise<DiffSlice | null | CheckpointFailure>
  /** What to restore to undo the changes of these files; null if one of them did not change. */
  undo(runs: FoldersOfRuns, snapshot: string, paths: readonly string[]): Promise<UndoPlan | null | CheckpointFailure>
}

export interface ListedPage {
  readonly snapshot: string
  readonly from: number
  readonly limit: number
  readonly lines: boolean
}

export interface DiffPart {
  readonly snapshot: string
  readonly path: string
  readonly from: number
  readonly limit: number
}

export interface ListedFiles extends Omit<ChangesPage, 'items'> {
  readonly items: readonly ChangedFile[]
  readonly folders: readonly string[]
  readonly missing_folders: readonly string[]
  readonly since: number | null
  readonly incomplete: boolean
}

export interface UndoPlan extends UndoPaths {
  /** The first recovery point of the runs, and the run it belongs to. */
  readonly checkpoint_id: string
  readonly run_id: string
}

interface Ports {
  readonly records: Pick<CheckpointRecords, 'stagesOf' | 'rowsOf' | 'hasDeleted' | 'othersBetween' | 'kept'>
  readonly engine: Pick<Engine, 'changedFiles' | 'changeDiff' | 'undoPaths'>
}

export function openRunChanges({ records, engine }: Ports): RunChanges {
  /** Everything in a folder that no longer exists would look as if it had been removed. */
  async function present(runs: FoldersOfRuns): Promise<{ readonly runs: FoldersOfRuns; readonly missing: readonly string[] }> {
    const folders = [...new Set(runs.values())]
    const exist = await Promise.all(folders.map(isFolder))
    const missing = folders.filter((_folder, at) => !exist[at])
    return { runs: new Map([...runs].filter(([, folder]) => !missing.includes(folder))), missing }
  }

  async function about(runs: FoldersOfRuns, snapshot: string) {
    const { runs: there, missing } = await present(runs)
    const stages: CheckpointRow[] = records.stagesOf([...there.keys()])
    return { missing, stages, request: { snapshot, history: historyOfRuns(records, stages, there) } }
  }

  return {
    async list(runs, { snapshot, ...page }) {
      try {
        const { missing, stages, request } = await about(runs, snapshot)
        const listed = await engine.changedFiles({ ...request, ...page })
        return {
          ...listed,
          folders: [...new Set(runs.values())],
          missing_folders: missing,
          since: stages[0]?.created_at ?? null,
          incomplete: records.hasDeleted([...runs.keys()]),
        }
      } catch (error) {
        return toFailure(error, 'restore', 'the changes')
      }
    },
    async diff(runs, { snapshot, ...part }) {
      try {
        return await engine.changeDiff({ ...(await about(runs, snapshot)).request, ...part })
      } catch (error) {
        return toFailure(error, 'restore', part.path)
      }
    },
    async undo(runs, snapshot, paths) {
      try {
        const { stages, request } = await about(runs, snapshot)
        const undo = await engine.undoPaths(request, paths)
        const [first] = stages
        if (!first || !paths.every((path) => undo.paths.includes(path))) return null
        return { checkpoint_id: first.checkpoint_id, run_id: first.run_id, ...undo }
      } catch (error) {
        return toFailure(error, 'restore', paths[0] ?? '')
      }
    },
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
