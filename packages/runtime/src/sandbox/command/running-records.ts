// Records of running commands, on disk: the next runtime ends the commands that a killed one left running, before it does anything else.
import { mkdirSync, readdirSync, readFileSync, rmSync, unlink, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { killTreeSync, startTimeOf } from './process-tree.ts'

export interface RunningRecords {
  /** Written before the command starts. */
  begin(mark: string): { began(pid: number): void; over(): void }
  /** Ends the recorded commands of runtimes that no longer exist. */
  sweep(): void
}

interface Known {
  readonly pid: number
  readonly started: string | null
}

interface RunningRecord {
  readonly owner: Known
  /** Null until it has started. */
  readonly first: Known | null
}

export function openRunningRecords(home: string): RunningRecords {
  const folder = join(home, 'running')
  const owner = known(process.pid)
  const write = (mark: string, record: RunningRecord) => writeFileSync(join(folder, mark), JSON.stringify(record))
  // Not waited for: it takes milliseconds on a busy disk, and the next runtime removes a record that is left.
  const over = (mark: string) => unlink(join(folder, mark), () => undefined)

  return {
    begin(mark) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      write(mark, { owner, first: null })
      return { began: (pid) => write(mark, { owner, first: known(pid) }), over: () => over(mark) }
    },
    sweep() {
      for (const mark of names(folder)) {
        const record = read(join(folder, mark))
        if (record && isSame(record.owner)) continue
        // Its pid may belong to another process by now; its mark cannot.
        const pid = record?.first && isSame(record.first) ? record.first.pid : -1
        killTreeSync({ pid, mark, members: () => [] })
        rmSync(join(folder, mark), { force: true })
      }
    },
  }
}

function known(pid: number): Known {
  return { pid, started: startTimeOf(pid) }
}

/** Without a known start time, processes cannot be distinguished, and none is ended by its pid alone. */
function isSame({ pid, started }: Known): boolean {
  return started !== null && startTimeOf(pid) === started
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // No command was ever started here.
    return []
  }
}

function read(file: string): RunningRecord | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RunningRecord
  } catch {
    // Incomplete: its name is the mark, which is sufficient.
    return null
  }
}
