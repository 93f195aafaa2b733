// Reads single paths of a folder that others may change at the same time, and never through a link.
import { createHash } from 'node:crypto'
import { constants, realpathSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ToolFailure } from '../../call/failure.ts'
import { displayPath } from '../../sandbox/files/file-failure.ts'
import { type EntryFacts, entryFactsAt } from '../copy/folder-facts.ts'

/** `above`: one of its folders is something else, at that path. */
export type FoundPath =
  | { readonly is: 'absent' }
  | { readonly is: 'entry'; readonly facts: EntryFacts }
  | { readonly is: 'folder' }
  | { readonly is: 'special' }
  | { readonly is: 'blocked'; readonly above: string; readonly facts: EntryFacts | null }

export interface ReadFolder {
  readonly root: string
  find(path: string): FoundPath
  /** Of a regular file that was found before. */
  sha256(path: string): Promise<string>
  /** Null if it is longer than `most`. */
  read(path: string, most: number): Promise<Buffer | null>
}

/** A file that was changed so recently may be changed again without getting another time. */
const recent_ms = 2_500

/** Hashes of files that have not changed since they were read. */
export class HashMemory {
  readonly #known = new Map<string, string>()
  readonly #now: () => number

  /** The clock of the system, as for the times of files. */
  constructor(now: () => number) {
    this.#now = now
  }

  get(path: string, facts: EntryFacts): string | undefined {
    return this.#known.get(keyOf(path, facts))
  }

  set(path: string, facts: EntryFacts, sha256: string): void {
    if (facts.kind === 'file' && facts.ctime > this.#now() - recent_ms) return
    if (this.#known.size >= 50_000) this.#known.clear()
    this.#known.set(keyOf(path, facts), sha256)
  }
}

export function readFolder(root: string, hashes: HashMemory): ReadFolder {
  function find(path: string): FoundPath {
    for (const above of foldersAbove(path)) {
      const found = entryFactsAt(join(root, above))
      if (found === null) return { is: 'absent' }
      if (found !== 'folder') return { is: 'blocked', above, facts: found === 'special' ? null : found }
    }
    const found = entryFactsAt(join(root, path))
    if (found === null) return { is: 'absent' }
    if (found === 'folder' || found === 'special') return { is: found }
    return { is: 'entry', facts: found }
  }

  async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
    const file = join(root, path)
    let handle: FileHandle
    try {
      handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    } catch (error) {
      throw unreadable(path, error)
    }
    try {
      // A folder above it may have been replaced by a link.
      if (!(await handle.stat()).isFile() || realpathSync(dirname(file)) !== dirname(file)) throw unreadable(path, null)
      return await use(handle)
    } finally {
      await handle.close()
    }
  }

  return {
    root,
    find,
    async sha256(path) {
      const found = find(path)
      if (found.is !== 'entry' || found.facts.kind !== 'file') throw unreadable(path, null)
      const known = hashes.get(join(root, path), found.facts)
      if (known !== undefined) return known
      const sha256 = await withFile(path, hashOf)
      const now = find(path)
      // Remembered only if it was the same file before and after.
      if (now.is === 'entry' && keyOf('', now.facts) === keyOf('', found.facts)) hashes.set(join(root, path), found.facts, sha256)
      return sha256
    },
    read: (path, most) =>
      withFile(path, async (handle) => {
        const { size } = await handle.stat()
        return size > most ? null : await handle.readFile()
      }),
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of handle.createReadStream({ autoClose: false, start: 0, highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

function unreadable(path: string, cause: unknown): ToolFailure {
  const shown = displayPath(path)
  return new ToolFailure('changed_since_read', `"${shown}" cannot be read, or was replaced in the meantime. Nothing was changed.`, {
    subject: shown,
    remedy: 'Check the path and its permissions, and try again.',
    ...(cause ? { cause } : {}),
  })
}

function keyOf(path: string, facts: EntryFacts): string {
  return facts.kind === 'link' ? `${path}\0${facts.target}` : [path, facts.ino, facts.size, facts.mtime, facts.ctime].join('\0')
}

export function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
