import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fourth } from './fourth/half.ts'
import { heldOut } from './held-out/half.ts'
import { halfHistory, randomHistory } from './history.ts'
import type { Half } from './plan.ts'
import { records } from './record.ts'
import type { Run } from './run.ts'
import { counts, halfTables, plantedRows, withTable } from './tables.ts'
import { third } from './third/half.ts'
import { tuning } from './tuning/half.ts'

/** What each file contains, by its name. The same each time. */
export function files(): Map<string, string> {
  const parts = [tuning, heldOut, third, fourth].map((half): [Half, Run[]] => [half, halfHistory(half)])
  const random = randomHistory()
  const counted = counts([...parts.map(([half, history]): [string, Run[]] => [half.name, history]), ['random', random]])
  const described = parts.map(([half, history]): [string, string] => [
    pages[half.name],
    withTable(page(pages[half.name]), half.name, halfTables(half, history)),
  ])
  return new Map([
    ...parts.flatMap(([half, history]) => halfFiles(half, history)),
    ['random.jsonl', lines(records('r', random))],
    ...described.map(([name, text]): [string, string] => [name, name === 'README.md' ? withTable(text, 'counts', counted) : text]),
  ])
}

const letters: Record<Half['name'], string> = { tuning: 't', 'held-out': 'h', third: 'd', fourth: 'f' }
/** The page with the tables of each part. */
const pages: Record<Half['name'], string> = { tuning: 'README.md', 'held-out': 'HELD-OUT.md', third: 'THIRD.md', fourth: 'FOURTH.md' }

function halfFiles(half: Half, history: Run[]): [string, string][] {
  return [
    [`${half.name}.jsonl`, lines(records(letters[half.name], history))],
    [`${half.name}.planted.jsonl`, lines(plantedRows(half).map((row) => JSON.stringify(row)))],
    [`${half.name}.skills.jsonl`, lines(half.skills.map((skill) => JSON.stringify(skill)))],
  ]
}

const lines = (rows: string[]) => `${rows.join('\n')}\n`
const page = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of files()) writeFileSync(join(import.meta.dirname, name), text)
}
