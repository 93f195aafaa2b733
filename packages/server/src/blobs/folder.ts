// Blobs as files: <root>/<user_id>/<file_id>. A blob is written to a temporary file, synced to disk, and then renamed.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { isSegment } from './blob-validation.ts'
import type { Blobs } from './blobs.ts'
import { storageFailure } from './failure.ts'
import { isStale, temporaryName } from './folder-temporary.ts'
import { limitSource } from './limited-source.ts'
import { emptyBody } from './range-body.ts'

export interface FolderTarget {
  readonly kind: 'folder'
  readonly folder: string
}

/** Not a possible user_id. On the same file system as the blobs, so that a rename moves no bytes. */
const incoming = '.incoming'
const runId = randomUUID()

export async function openFolder({ folder }: FolderTarget, log: (line: string) => void): Promise<Blobs> {
  const temporaries = join(folder, incoming)
  await makeFolder(temporaries, 0o700).catch(rethrow(`creating ${temporaries}`))
  await sweep(temporaries, log)

  return {
    kind: 'folder',
    async put(key, source, { maxBytes }) {
      const path = join(folder, key)
      const temporary = join(temporaries, temporaryName({ host: hostname(), pid: process.pid, run: runId }, randomUUID()))
      const metered = limitSource(source, maxBytes)
      try {
        await writeDurably(temporary, metered.chunks)
        const home = dirname(path)
        if (await mkdir(home, { recursive: true, mode: 0o700 })) await syncFolder(folder)
        await rename(temporary, path)
        await syncFolder(home)
        return metered.stored()
      } catch (error) {
        await rm(temporary, { force: true }).catch((reason: Error) =>
          log(`blobs: the temporary file ${temporary} could not be deleted: ${reason.message}`),
        )
        throw metered.failure(`writing ${path}`, error)
      }
    },
    async get(key, range) {
      const path = join(folder, key)
      const found = await stat(path).catch(unlessMissing(`reading ${path}`))
      if (!found) return undefined
      const start = range?.start ?? 0
      const end = Math.min(range?.end ?? found.size - 1, found.size - 1)
      return start > end ? emptyBody() : read(path, start, end)
    },
    async delete(key) {
      const path = join(folder, key)
      await rm(path, { force: true }).catch(rethrow(`deleting ${path}`))
    },
    async *list(prefix, after = '') {
      // Entries of other programs are skipped: a file among the users' folders, a folder among their files.
      const users = prefix === '' ? (await namesOf(folder, 'folders')).filter(isSegment) : [prefix.slice(0, -1)]
      const [first = ''] = after.split('/')
      for (const user of users.filter((name) => name >= first).sort()) {
        for (const file of (await namesOf(join(folder, user), 'files')).filter(isSegment).sort()) {
          if (`${user}/${file}` > after) yield `${user}/${file}`
        }
      }
    },
    async ping() {
      await access(temporaries, constants.R_OK | constants.W_OK | constants.X_OK).catch(rethrow(`accessing ${folder}`))
    },
  }
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(chunks)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename is durable only after its folder is synced. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and orders its own metadata.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Opens on the first read: a response that is not read keeps no file open. */
async function* read(path: string, start: number, end: number): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { start, end })
  } catch (error) {
    throw storageFailure(`reading ${path}`, error)
  }
}

/** Temporary files of an earlier run. */
async function sweep(temporaries: string, log: (line: string) => void): Promise<void> {
  const here = { host: hostname(), pid: process.pid, run: runId }
  for (const name of await namesOf(temporaries, 'files')) {
    const path = join(temporaries, name)
    const found = await stat(path).catch(unlessMissing(`reading ${path}`))
    if (!found || !isStale(name, here, Date.now() - found.mtimeMs, isAlive)) continue
    await rm(path, { force: true }).catch(rethrow(`deleting ${path}`))
    log(`blobs: removed a half-written file: ${name}`)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function namesOf(path: string, kind: 'files' | 'folders'): Promise<string[]> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(unlessMissing(`listing ${path}`))) ?? []
  return entries.filter((entry) => (kind === 'files' ? entry.isFile() : entry.isDirectory())).map(({ name }) => name)
}

function unlessMissing(doing: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined
    throw storageFailure(doing, error)
  }
}

function rethrow(doing: string): (error: unknown) => never {
  return (error) => {
    throw storageFailure(doing, error)
  }
}
