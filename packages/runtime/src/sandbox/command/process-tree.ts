// Which processes belong to a command, and how to end all of them.
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { callMark } from './environment.ts'

export interface TreeRoot {
  readonly pid: number
  /** The value of `TANDEM_CALL` in its processes; null if a process namespace keeps them together anyway. */
  readonly mark: string | null
  /** Members according to the control group. */
  members(): readonly number[]
  /** Whether no process can leave the control group: then the other processes of the machine are not searched. */
  readonly closed?: boolean
}

export interface ProcessFacts {
  readonly pid: number
  readonly ppid: number
  readonly session: number
  readonly command: string
  /** Exited, and not yet reaped by its parent. */
  readonly zombie: boolean
  /** The start time in ticks: with it, a pid identifies one process, not a later one with the same pid. */
  readonly started: string
}

/**
 * Every live process of the tree, the root first. A daemon leaves its parent and its session, but not its control group, and not the
 * environment it was started with. Without `/proc` (macOS) only the process group of the root is known.
 */
export function processesOf(root: TreeRoot): number[] {
  // The root joins the group itself, so it may not be in it yet.
  if (root.closed) return [...new Set([root.pid, ...root.members()])].filter((pid) => startTimeOf(pid) !== null)
  const all = processes()
  const living = new Map(all.filter(({ zombie }) => !zombie).map((one) => [one.pid, one]))
  const found = new Set<number>([root.pid, ...root.members()])
  for (const { pid, session } of all) if (session === root.pid) found.add(pid)
  if (root.mark !== null) for (const pid of living.keys()) if (!found.has(pid) && carries(pid, root.mark)) found.add(pid)
  for (let grown = true; grown; ) {
    grown = false
    for (const { pid, ppid } of all) {
      if (!found.has(pid) && found.has(ppid)) {
        found.add(pid)
        grown = true
      }
    }
  }
  return [...found].filter((pid) => living.has(pid) && pid !== process.pid)
}

/**
 * Sends TERM to all of it, except the wrappers of the sandbox: they would kill the others before these could clean up. Wrappers are
 * recognized by being in a process namespace above the innermost. Programs in `told` have got it already; the new ones are added.
 */
export function terminate(root: TreeRoot, told = new Set<string>()): void {
  const names = new Map(processes().map(({ pid, command }) => [pid, command]))
  const depths = processesOf(root)
    .filter((pid) => !wrapperNames.includes(names.get(pid) ?? ''))
    .map((pid) => ({ pid, depth: depthOf(pid) }))
  const innermost = Math.max(...depths.map(({ depth }) => depth))
  const asked = root.mark === null ? depths.filter(({ depth }) => depth === innermost) : depths
  for (const { pid } of asked) {
    // A shell that becomes another program keeps its pid.
    const one = `${pid} ${names.get(pid) ?? ''}`
    if (!told.has(one)) send(pid, 'SIGTERM')
    told.add(one)
  }
  if (asked.length === 0) send(-root.pid, 'SIGTERM')
}

const wrapperNames: readonly string[] = ['bwrap', 'apply-seccomp']

/** Kills all of it, however fast it forks: first stops everything, then kills everything, until nothing is found. */
export async function killTree(root: TreeRoot): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const pids = processesOf(root)
    if (pids.length === 0) return
    for (const pid of pids) send(pid, 'SIGSTOP')
    for (const pid of pids) send(pid, 'SIGKILL')
    // Most are gone immediately; waiting without a pause would take the processor from those that are still exiting.
    await (round < 3 ? setImmediate() : setTimeout(1))
  }
}

const rounds = 500

/** The same, synchronously. */
export function killTreeSync(root: TreeRoot): void {
  for (let round = 0; round < rounds; round++) {
    const pids = processesOf(root)
    if (pids.length === 0) return
    for (const pid of pids) send(pid, 'SIGSTOP')
    for (const pid of pids) send(pid, 'SIGKILL')
  }
}

/** The start time of the process; null if there is none, or it cannot be determined. */
export function startTimeOf(pid: number): string | null {
  const [facts] = factsOf(pid)
  return facts && !facts.zombie ? facts.started : null
}

export function processes(): ProcessFacts[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names.filter((name) => /^\d+$/.test(name)).flatMap((name) => factsOf(Number(name)))
}

function factsOf(pid: number): ProcessFacts[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name is in parentheses and may contain anything, including parentheses.
    const open = text.indexOf('(')
    const close = text.lastIndexOf(')')
    const fields = text.slice(close + 2).split(' ')
    const [state, ppid, , session] = fields
    const zombie = state === 'Z' || state === 'X'
    const command = text.slice(open + 1, close)
    return [{ pid, ppid: Number(ppid), session: Number(session), command, zombie, started: fields[19] ?? '' }]
  } catch {
    // It exited in the meantime.
    return []
  }
}

/** The number of process namespaces in which it has a pid. */
function depthOf(pid: number): number {
  try {
    const line = /^NSpid:(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return line?.[1]?.trim().split(/\s+/).length ?? 1
  } catch {
    // It exited in the meantime.
    return 0
  }
}

function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${callMark}=${mark}`)
  } catch {
    // Not readable for us, hence not ours.
    return false
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It already exited.
  }
}
