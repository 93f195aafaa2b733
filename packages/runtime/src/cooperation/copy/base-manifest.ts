// How a copy was when it was made: what the changes of its member are compared with.
import { readFileSync, writeFileSync } from 'node:fs'
import type { EntryFacts, FolderFacts } from './folder-facts.ts'

export interface BaseManifest extends Pick<FolderFacts, 'entries' | 'folders' | 'repositories'> {
  /** When the copying began and ended, by the clock of the file system, in milliseconds. What has a later change time was changed since. */
  readonly begun: number
  readonly ended: number
}

/** `[path, mode, size, mtime, ctime, ino]` for a file, `[path, target]` for a link. */
type ManifestRow = readonly [string, number, number, number, number, number] | readonly [string, string]

interface WrittenManifest {
  readonly begun: number
  readonly ended: number
  readonly rows: readonly ManifestRow[]
  readonly folders: readonly (readonly [string, number, number])[]
  readonly repositories: readonly (readonly [string, number])[]
}

export function writeBaseManifest(file: string, { begun, ended, entries, folders, repositories }: BaseManifest): void {
  const rows = [...entries].map(([path, entry]) => toRow(path, entry))
  const written: WrittenManifest = {
    ...{ begun, ended, rows, repositories: [...repositories] },
    folders: [...folders].map(([path, { mode, ino }]) => [path, mode, ino]),
  }
  writeFileSync(file, JSON.stringify(written), { mode: 0o600 })
}

export function readBaseManifest(file: string): BaseManifest {
  const { begun, ended, rows, folders, repositories } = JSON.parse(readFileSync(file, 'utf8')) as WrittenManifest
  return {
    ...{ begun, ended, entries: new Map(rows.map(fromRow)), repositories: new Map(repositories) },
    folders: new Map(folders.map(([path, mode, ino]) => [path, { mode, ino }])),
  }
}

function toRow(path: string, entry: EntryFacts): ManifestRow {
  if (entry.kind === 'link') return [path, entry.target]
  return [path, entry.mode, entry.size, entry.mtime, entry.ctime, entry.ino]
}

function fromRow(row: ManifestRow): [string, EntryFacts] {
  if (row.length === 2) return [row[0], { kind: 'link', target: row[1] }]
  const [path, mode, size, mtime, ctime, ino] = row
  return [path, { kind: 'file', mode, size, mtime, ctime, ino }]
}
