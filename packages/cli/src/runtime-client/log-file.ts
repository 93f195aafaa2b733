// `terminal.log` in Tandem's folder: what the runtime of a command reports about its work in the background. Between the lines of an answer
// it would be mistaken for a part of it.
import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

const logFileName = 'terminal.log'

const most_bytes = 1_048_576

export function openLogFile(home: string, now: () => Date = () => new Date()): (line: string) => void {
  const file = join(home, logFileName)
  return (line) => {
    try {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
      if (size > most_bytes) renameSync(file, `${file}.1`)
      appendFileSync(file, `${now().toISOString()} ${line}\n`, { mode: 0o600 })
    } catch {
      // A full disk, for example: the command reports it itself when it writes what matters.
    }
  }
}
