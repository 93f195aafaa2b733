// Keeps this process on one core of those it may use, so that what it measures has the others.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

export interface Pin {
  /** The cores that this process could use before, as `taskset` takes them: `0-3`. */
  readonly cores: string
  /** How many these are. While the process is pinned, Node reports one. */
  readonly count: number
  /** It may use all of them again. */
  release(): void
}

export function pinToCore(core: number): Pin {
  const [, cores = ''] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const count = availableParallelism()
  setCores(String(core))
  return { cores, count, release: () => setCores(cores) }
}

function setCores(cores: string): void {
  // All threads: those of Node have been started already.
  const { status } = spawnSync('taskset', ['-acp', cores, String(process.pid)])
  if (status !== 0) throw new Error('taskset is needed to keep the load off the core of what is measured')
}
