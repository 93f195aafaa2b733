import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  const [first, second, last, random] = [halfHistory(tuning), halfHistory(heldOut), halfHistory(third), randomHistory()]
  const counted = counts([
    ['tuning', first],
    ['held-out', second],
    ['third', last],
    ['random', random],
  ])
  return new Map([
    ...halfFiles(tuning, first),
    ...halfFiles(heldOut, second),
    ...halfFiles(third, last),
    ['random.jsonl', lines(records('r', random))],
    ['README.md', withTable(withTable(page('README.md'), 'counts', counted), 'tuning', halfTables(tuning, first))],
    ['HELD-OUT.md', withTable(page('HELD-OUT.md'), 'held-out', halfTables(heldOut, second))],
    ['THIRD.md', withTable(page('THIRD.md'), 'third', halfTables(third, last))],
  ])
}

const letters: Record<Half['name'], string> = { tuning: 't', 'held-out': 'h', third: 'd' }

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
