// Which process uses a data folder: reads postmaster.pid and inspects the process.
import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly socket_dir: string
  readonly host: string
  readonly ready: boolean
}

/** The lines PostgreSQL writes: pid, data folder, start time, port, socket folder, address, shared memory, status. */
export function parsePostmasterFile(text: string): PostmasterFile | undefined {
  const lines = text.split('\n')
  // A standalone backend writes its pid negated: it accepts no connections.
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid < 2) return undefined
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socket_dir: lines[4]?.trim() ?? '',
    host: lines[5]?.trim() ?? '',
    ready: lines[7]?.trim() === 'ready',
  }
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  return parsePostmasterFile(await textOf(join(cluster, 'postmaster.pid')))
}

export type PostmasterStatus =
  /** The program at `binary`, running in this data folder. */
  | 'ours'
  /** It runs in this data folder, but from a program we no longer start: a new install, or a copy of ours. */
  | 'replaced'
  /** Another PostgreSQL runs in this data folder. */
  | 'foreign'
  /** Dead, or another program with the same pid. */
  | 'gone'

/** The program that is started now, and where our other ones may be. */
export interface KnownPrograms {
  readonly current: string
  readonly former: readonly string[]
}

/** The relation of process `pid` to the data folder `cluster`. All are real paths. */
export async function postmasterStatus(pid: number, cluster: string, { current, former }: KnownPrograms): Promise<PostmasterStatus> {
  if (!isAlive(pid)) return 'gone'
  // Without /proc only the pid is known; a wrong guess leads to a refusal, never to two postmasters.
  if (process.platform !== 'linux') return 'ours'
  const cwd = await linkOf(`/proc/${pid}/cwd`)
  if (cwd !== cluster) return 'gone'
  const program = await linkOf(`/proc/${pid}/exe`)
  if (program === current) return 'ours'
  const path = program?.replace(/ \(deleted\)$/, '')
  return path === current || former.some((place) => path === place || path?.startsWith(`${place}/`)) ? 'replaced' : 'foreign'
}

/** Processes of a dead postmaster that have not exited yet; only detectable on Linux. */
export async function orphanedProcesses(cluster: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found: number[] = []
  for (const pid of pids) {
    const [cwd, program] = await Promise.all([linkOf(`/proc/${pid}/cwd`), linkOf(`/proc/${pid}/exe`)])
    if (cwd === cluster && program !== undefined && /\/postgres( \(deleted\))?$/.test(program)) found.push(pid)
  }
  return found
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

/** A process may exit, or belong to another user, between two checks: in both cases it is not ours. */
async function linkOf(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch {
    return undefined
  }
}
