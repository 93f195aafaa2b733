// A directory that is kept open. On Linux by a descriptor: whatever is renamed or linked in the meantime, `at(name)` stays inside this
// directory, which gives Node the safety of openat. On other systems by its real path, compared before and after.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, fileFailure } from './file-failure.ts'

export interface OpenDirectory {
  /** The real path of the directory. */
  readonly real: string
  /** A path for the file system only, never to be shown. An empty name is the directory itself. */
  at(name: string): string
  /** Opens a directory in this one; a link instead of it is ENOTDIR. */
  enter(name: string): Promise<OpenDirectory>
  /** Throws if the directory was replaced by another one. */
  confirm(): Promise<void>
  close(): Promise<void>
}

export type DirectoryOpener = (directory: string) => Promise<OpenDirectory>

/** Linux O_PATH: a handle that opens nothing, so it neither blocks on a FIFO nor wakes a device. Not among Node's constants. */
const pathOnly = 0o10000000

export const descriptorDirectory: DirectoryOpener = async (directory) => hold(await open(directory, pathOnly | constants.O_DIRECTORY))

async function hold(handle: FileHandle): Promise<OpenDirectory> {
  const self = `/proc/self/fd/${handle.fd}`
  try {
    const real = await readlink(self)
    return {
      real,
      at: (name) => `${self}/${checked(name)}`,
      enter: async (name) => hold(await open(`${self}/${checked(name)}`, pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW)),
      confirm: async () => undefined,
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

export const realPathDirectory: DirectoryOpener = async (directory) => {
  const real = await realpath(directory)
  const before = await stat(real, { bigint: true })
  if (!before.isDirectory()) throw notADirectory(real)
  return {
    real,
    at: (name) => join(real, checked(name)),
    async enter(name) {
      const path = join(real, checked(name))
      if (!(await lstat(path)).isDirectory()) throw notADirectory(path)
      const child = await realPathDirectory(path)
      if (child.real === path) return child
      throw notADirectory(path)
    },
    async confirm() {
      const now = await realpath(directory).catch(() => '')
      const after = await stat(real, { bigint: true }).catch(() => null)
      if (now !== real || after?.ino !== before.ino || after.dev !== before.dev) throw fileFailure('changed_since_read', directory)
    },
    close: async () => undefined,
  }
}

export async function platformOpener(platform: NodeJS.Platform): Promise<DirectoryOpener> {
  if (platform !== 'linux') return realPathDirectory
  return stat('/proc/self/fd').then(
    () => descriptorDirectory,
    (error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
      return realPathDirectory
    },
  )
}

export async function withOpenDirectory<T>(opening: Promise<OpenDirectory>, use: (anchor: OpenDirectory) => Promise<T>): Promise<T> {
  const anchor = await opening
  try {
    return await use(anchor)
  } finally {
    await anchor.close()
  }
}

function checked(name: string): string {
  if (name.includes('/') || name === '..' || name.includes('\0')) throw new Error(`not the name of a single entry: ${JSON.stringify(name)}`)
  return name === '' ? '.' : name
}

function notADirectory(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOTDIR: ${path}`), { code: 'ENOTDIR' })
}
