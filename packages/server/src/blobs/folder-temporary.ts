// Which process wrote a temporary file, and may it be deleted? A folder can be shared: uploads of other servers must be left alone.

export interface Writer {
  readonly host: string
  readonly pid: number
  /** Distinguishes a process from an earlier one with the same pid, which is common in containers. */
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
