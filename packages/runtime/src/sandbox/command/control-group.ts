// A control group for each command, if the system lets us create one: it accounts for the whole tree, and no forked process can leave it.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from './limits.ts'

export interface ControlGroup {
  /** A process that writes its pid to each of these files joins the group. */
  readonly procs_files: readonly string[]
  members(): number[]
  remove(): void
}

interface Controller {
  readonly folder: string
  /** The group of our own process. */
  readonly own: string
}

const root = '/sys/fs/cgroup'

/** Groups that could not be removed yet because their last process was still exiting. */
const lingering = new Set<string>()

export function makeControlGroup(name: string): ControlGroup | null {
  removeLingering()
  const folders = controllers().flatMap(({ folder, own }) => {
    const made = join(folder, own, `tandem-${name}`)
    try {
      mkdirSync(made)
      return [made]
    } catch {
      // No permission to create one, or the controller is read-only here: the other limits still apply.
      return []
    }
  })
  if (folders.length === 0) return null
  for (const folder of folders) {
    put(folder, 'pids.max', limits.tree_processes)
    put(folder, 'memory.max', limits.tree_memory_bytes)
    put(folder, 'memory.limit_in_bytes', limits.tree_memory_bytes)
  }
  return {
    procs_files: folders.map((folder) => join(folder, 'cgroup.procs')),
    members: () => [...new Set(folders.flatMap(pidsIn))],
    remove: () => {
      for (const folder of folders) lingering.add(folder)
      removeLingering()
    },
  }
}

function removeLingering(): void {
  for (const folder of lingering) {
    try {
      rmdirSync(folder)
      lingering.delete(folder)
    } catch {
      if (!existsSync(folder)) lingering.delete(folder)
    }
  }
}

/** Removes groups that a killed runtime left behind. */
export function sweepControlGroups(isAlive: (pid: number) => boolean): void {
  for (const { folder, own } of controllers()) {
    for (const entry of list(join(folder, own))) {
      const owner = /^tandem-(\d+)-/.exec(entry)?.[1]
      if (!owner || isAlive(Number(owner))) continue
      const left = join(folder, own, entry)
      for (const pid of pidsIn(left)) killQuietly(pid)
      try {
        rmdirSync(left)
      } catch {
        // Its processes are still running; the next start tries again.
      }
    }
  }
}

function controllers(): Controller[] {
  let text: string
  try {
    text = readFileSync('/proc/self/cgroup', 'utf8')
  } catch {
    return []
  }
  const found = text.split('\n').flatMap((line): Controller[] => {
    const [, names, own] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (names === undefined || own === undefined) return []
    if (names === '') return [existsSync(join(root, 'cgroup.procs')) ? { folder: root, own } : { folder: join(root, 'unified'), own }]
    return names === 'pids' || names === 'memory' ? [{ folder: join(root, names), own }] : []
  })
  return found.filter(({ folder, own }) => existsSync(join(folder, own, 'cgroup.procs')))
}

function put(folder: string, file: string, value: number): void {
  try {
    if (existsSync(join(folder, file))) writeFileSync(join(folder, file), String(value))
  } catch {
    // The controller is not delegated to us; membership is still useful.
  }
}

function pidsIn(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It already exited.
  }
}
