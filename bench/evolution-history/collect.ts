import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { heldOut } from './held-out/half.ts'
import { halfHistory, randomHistory } from './history.ts'
import type { Half } from './plan.ts'
import { records } from './record.ts'
import { plantedRows, withTables } from './tables.ts'
import { tuning } from './tuning/half.ts'

const halves: Half[] = [tuning, heldOut]

/** What each file contains, by its name. The same each time. */
export function files(): Map<string, string> {
  const lines = (rows: string[]) => `${rows.join('\n')}\n`
  const runs = new Map(halves.map((half) => [half, halfHistory(half)]))
  const random = randomHistory()
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8')
  return new Map([
    ...[...runs].map(([half, history]): [string, string] => [`${half.name}.jsonl`, lines(records(half.name.slice(0, 1), history))]),
    ['random.jsonl', lines(records('r', random))],
    ['planted.jsonl', lines(halves.flatMap(plantedRows).map((row) => JSON.stringify(row)))],
    ['skills.jsonl', lines(halves.flatMap((half) => half.skills.map((skill) => JSON.stringify({ half: half.name, ...skill }))))],
    ['README.md', withTables(readme, runs, random)],
  ])
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of files()) writeFileSync(join(import.meta.dirname, name), text)
}
