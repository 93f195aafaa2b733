// Whose half-written file is this, and may it go? A folder can be shared: another server's upload in flight must be left alone.

export interface Writer {
  readonly host: string
  readonly pid: number
  /** Tells a process from an earlier one that had the same number, as the first process of a container always does. */
  readonly run: string
}

export function temporaryName({ host, pid, run }: Writer, unique: string): string {
  return [encodeURIComponent(host), pid, run, unique].join('~')
}

const dayMs = 24 * 60 * 60 * 1000

export function isStale(name: string, here: Writer, ageMs: number, isAlive: (pid: number) => boolean): boolean {
  const [host, pid, run, unique] = name.split('~')
  if (unique === undefined || host !== encodeURIComponent(here.host) || !/^\d+$/.test(pid ?? '')) return ageMs > dayMs
  if (Number(pid) === here.pid) return run !== here.run
  return !isAlive(Number(pid)) || ageMs > dayMs
}
