// Which files calls of agents have changed on this device. Files that could not be listed count as changed.

import { isInside } from '../path/inside.ts'
import type { Store } from '../store/store.ts'
import type { InstructionFile } from './instruction-files.ts'

/** A folder that a call may have changed, and that was not listed afterwards. */
export interface UnlistedChanges {
  readonly below: string
  /** A folder in it that was listed in full. */
  readonly except: string | null
}

export interface AgentChanges {
  /** Before a call: `paths` are the declared changes, `below` is where it may change more. */
  begin(call_id: string, paths: readonly string[], below: string | null): void
  /** After the call: the paths that were changed, and what could not be listed. If this is never called, everything below counts as changed. */
  end(call_id: string, paths: readonly string[], unlisted: readonly UnlistedChanges[]): void
  /** Everything below these folders was moved as a whole. */
  moved(folders: readonly string[]): void
  /** The files that a call changed (`changed`), or may have changed (`unlisted`). */
  among(files: readonly InstructionFile[]): readonly ChangedFile[]
  approve(digests: readonly string[]): void
  isApproved(digest: string): boolean
}

export interface ChangedFile {
  readonly path: string
  readonly how: 'changed' | 'unlisted'
}

/** If one call changed more paths than this, the folder is recorded instead. */
export const mostChangedPaths = 5_000
const mostRows = 200_000
/** Clocks of file systems lag a little. */
const clockSlack_ms = 2_000

interface TreeRow {
  readonly path: string
  readonly except_below: string
  readonly since: number
}

export function openAgentChanges({ sql, clock, transaction }: Pick<Store, 'sql' | 'clock' | 'transaction'>): AgentChanges {
  function addFiles(paths: readonly string[]): void {
    sql.run`INSERT OR IGNORE INTO agent_changes (path, reach, since)
      SELECT value, 'file', ${clock.now()} FROM json_each(${JSON.stringify(paths)})`
  }

  function addTree(path: string, except: string | null, since: number, call_id = ''): void {
    sql.run`INSERT INTO agent_changes (path, reach, except_below, call_id, since) VALUES (${path}, 'tree', ${except ?? ''}, ${call_id}, ${since})
      ON CONFLICT DO UPDATE SET since = min(since, excluded.since)`
  }

  /** Too many files are replaced by one row for their folder. */
  function bound(): void {
    const row = sql.get<{ rows: number }>`SELECT count(*) AS rows FROM agent_changes`
    if (Number(row?.rows ?? 0) <= mostRows) return
    sql.run`DELETE FROM agent_changes WHERE reach = 'file'`
    addTree('/', null, 0)
  }

  return {
    begin(call_id, paths, below) {
      if (paths.length > 0) addFiles(paths)
      if (below !== null) addTree(below, null, clock.now(), call_id)
    },
    end(call_id, paths, unlisted) {
      transaction(() => {
        const open = sql.get<{ since: number }>`SELECT since FROM agent_changes WHERE call_id = ${call_id} AND call_id <> ''`
        const since = Number(open?.since ?? clock.now())
        sql.run`DELETE FROM agent_changes WHERE call_id = ${call_id} AND call_id <> ''`
        if (paths.length > 0) addFiles(paths)
        for (const { below, except } of unlisted) addTree(below, except, since)
        if (paths.length > 0) bound()
      })
    },
    moved(folders) {
      for (const folder of folders) addTree(folder, null, 0)
    },
    among(files) {
      const paths = files.flatMap(({ path, real }) => [path, real])
      const rows = sql.all<{ path: string }>`SELECT path FROM agent_changes
        WHERE reach = 'file' AND path IN (SELECT value FROM json_each(${JSON.stringify(paths)}))`
      const changed = new Set(rows.map(({ path }) => path))
      const trees = sql.all<TreeRow>`SELECT path, except_below, since FROM agent_changes WHERE reach = 'tree'`
      return files.flatMap((file): readonly ChangedFile[] => {
        if (changed.has(file.path) || changed.has(file.real)) return [{ path: file.path, how: 'changed' }]
        return trees.some((tree) => mayHaveChanged(tree, file)) ? [{ path: file.path, how: 'unlisted' }] : []
      })
    },
    approve(digests) {
      for (const digest of digests)
        sql.run`INSERT OR IGNORE INTO approved_instructions (digest, approved_at) VALUES (${digest}, ${clock.now()})`
    },
    isApproved: (digest) => sql.get`SELECT 1 FROM approved_instructions WHERE digest = ${digest}` !== undefined,
  }
}

function mayHaveChanged({ path, except_below, since }: TreeRow, file: InstructionFile): boolean {
  if (file.changed_at < since - clockSlack_ms) return false
  return [file.path, file.real].some((at) => isInside(at, path) && (except_below === '' || !isInside(at, except_below)))
}
