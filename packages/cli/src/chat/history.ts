// What was typed in earlier sessions, for the up arrow. Only its owner can read the file.
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const historyFileName = 'terminal-history.jsonl'
const mostKept = 500
const longestKept = 20_000

export interface MessageHistory {
  /** Oldest first. */
  readonly earlier: readonly string[]
  add(text: string): void
}

/** A file that cannot be read or written costs only the history. */
export function openHistory(home: string, report: (problem: string) => void): MessageHistory {
  const file = join(home, historyFileName)
  const earlier = readEntries(file)
  let problem = ''
  return {
    earlier,
    add(text) {
      if (text.trim() === '' || text.length > longestKept) return
      try {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 })
      } catch (error) {
        if (problem === '') report(`The history could not be saved: ${String(error)}`)
        problem = String(error)
      }
    },
  }
}

function readEntries(file: string): string[] {
  let lines: string[]
  try {
    lines = readFileSync(file, 'utf8').split('\n')
  } catch {
    // There is none yet.
    return []
  }
  const entries = lines.flatMap(entryOf)
  if (entries.length > 2 * mostKept) shorten(file, entries.slice(-mostKept))
  return entries.slice(-mostKept)
}

/** A line that a crash cut off is left out. */
function entryOf(line: string): string[] {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'string' ? [value] : []
  } catch {
    return []
  }
}

function shorten(file: string, entries: readonly string[]): void {
  try {
    const arriving = `${file}.${process.pid}.part`
    writeFileSync(arriving, entries.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 })
    chmodSync(arriving, 0o600)
    renameSync(arriving, file)
  } catch {
    // It stays long.
  }
}
