// Processor time of processes, from /proc (Linux). Unlike durations, it barely depends on what else runs on the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second, as the kernel reports them to programs. */
const ticksPerSecond = 100

/** Milliseconds of processor time of one process, with all its threads. */
export function processMilliseconds(pid: number): number {
  return ((read(String(pid))?.own ?? 0) * 1_000) / ticksPerSecond
}

/** Of a process and everything below it, including children that have ended. */
export function treeMilliseconds(root: number): number {
  const all = new Map(readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [[Number(name), read(name)] as const] : [])))
  const counted = new Set([root])
  for (let before = 0; before < counted.size; ) {
    before = counted.size
    for (const [pid, found] of all) if (found && counted.has(found.parent)) counted.add(pid)
  }
  let ticks = 0
  for (const pid of counted) ticks += all.get(pid)?.withEnded ?? 0
  return (ticks * 1_000) / ticksPerSecond
}

function read(name: string): { readonly parent: number; readonly own: number; readonly withEnded: number } | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    // The name of the program, in parentheses, may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (index: number) => Number(fields[index] ?? 0)
    const own = at(11) + at(12)
    return { parent: at(1), own, withEnded: own + at(13) + at(14) }
  } catch {
    return undefined // it ended meanwhile
  }
}
