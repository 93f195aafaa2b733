// Processor time of processes, from /proc (Linux). Unlike durations, it barely depends on what else runs on the machine.
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks per second, as the kernel reports them to programs. */
const ticksPerSecond = 100

/** Milliseconds of processor time of these processes and everything below them, including children that have ended. */
export function cpuMilliseconds(pids: readonly number[]): number {
  const all = processes()
  const counted = new Set(pids)
  for (let grown = true; grown; ) {
    const before = counted.size
    for (const [pid, { parent }] of all) if (counted.has(parent)) counted.add(pid)
    grown = counted.size > before
  }
  let ticks = 0
  for (const pid of counted) ticks += all.get(pid)?.ticks ?? 0
  return (ticks * 1_000) / ticksPerSecond
}

function processes(): Map<number, { readonly parent: number; readonly ticks: number }> {
  const found = new Map<number, { parent: number; ticks: number }>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      // The name of the program, in parentheses, may contain anything.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [parent, user, system, endedUser, endedSystem] = [fields[1], fields[11], fields[12], fields[13], fields[14]].map(Number)
      found.set(Number(name), {
        parent: parent ?? 0,
        ticks: (user ?? 0) + (system ?? 0) + (endedUser ?? 0) + (endedSystem ?? 0),
      })
    } catch {
      // It ended meanwhile.
    }
  }
  return found
}
