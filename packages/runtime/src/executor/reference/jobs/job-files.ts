// The files of a job. Only those that its request names are received or sent, and a link never leads out of its folder.
import { createHash, randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type JobFile, jobLimits } from '@tandem/contract/executor'
import type { JobFolder } from './job-record.ts'

/** Stores a file that the client sends. False if it is not the file that the request names. The job has not started: there are no links. */
export async function receiveFile(folder: JobFolder, declared: JobFile, body: AsyncIterable<Buffer>): Promise<boolean> {
  const arriving = join(folder.arriving, randomBytes(16).toString('hex'))
  try {
    if (!(await isStored(arriving, declared, body))) return false
    const path = join(folder.work, declared.path)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await rename(arriving, path)
    return true
  } finally {
    await rm(arriving, { force: true })
  }
}

async function isStored(arriving: string, declared: JobFile, body: AsyncIterable<Buffer>): Promise<boolean> {
  const hash = createHash('sha256')
  let bytes = 0
  await using file = await open(arriving, 'wx', 0o600)
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > declared.bytes) return false
    hash.update(chunk)
    await file.writeFile(chunk)
  }
  await file.sync()
  return bytes === declared.bytes && hash.digest('hex') === declared.sha256
}

export async function hasFile({ work }: JobFolder, path: string): Promise<boolean> {
  return await lstat(join(work, path)).then(
    (found) => found.isFile(),
    () => false,
  )
}

/** Null if there is none, or it is not a regular file below the folder, or it is too large. The command has ended: nothing changes there. */
export async function openJobFile(
  { work }: JobFolder,
  path: string,
): Promise<{ readonly handle: FileHandle; readonly bytes: number } | null> {
  let handle: FileHandle
  try {
    const root = await realpath(work)
    if ((await realpath(join(work, path))) !== join(root, path)) return null
    handle = await open(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    // Missing, or not readable for us.
    return null
  }
  const found = await handle.stat()
  if (found.isFile() && found.size <= jobLimits.file_bytes) return { handle, bytes: found.size }
  await handle.close()
  return null
}

/** Those that exist, with their content as it is now. */
export async function describeFiles(folder: JobFolder, paths: readonly string[]): Promise<JobFile[]> {
  const described: JobFile[] = []
  for (const path of paths) {
    const opened = await openJobFile(folder, path)
    if (!opened) continue
    await using file = opened.handle
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false })) hash.update(chunk)
    described.push({ path, bytes: opened.bytes, sha256: hash.digest('hex') })
  }
  return described
}

/** What a folder occupies on disk. Links are not followed. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  try {
    for await (const entry of await opendir(folder, { recursive: true })) {
      const found = await lstat(join(entry.parentPath, entry.name)).catch(() => null)
      bytes += found?.isFile() ? found.blocks * 512 : 0
    }
  } catch {
    // It changes while it is measured; the next measurement sees the rest.
  }
  return bytes
}
