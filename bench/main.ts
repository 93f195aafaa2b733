// npm run bench -- NAME [--json]: a table for people; with --json the last line is one object for programs.
import { readdirSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import type { Bench } from './bench.ts'
import { table } from './table.ts'

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort()

const args = process.argv.slice(2)
const name = args.find((arg) => !arg.startsWith('--'))
const strange = args.filter((arg) => arg !== '--json' && arg !== name)

if (name === undefined || !names.includes(name) || strange.length > 0) {
  const complaint =
    strange.length > 0 ? `"${strange[0]}" is not understood` : name === undefined ? 'which benchmark?' : `there is no benchmark "${name}"`
  console.error(`bench: ${complaint}. Use: npm run bench -- NAME [--json], with NAME one of ${names.join(', ')}.`)
  process.exitCode = 2
} else {
  const { bench }: { bench: Bench } = await import(`./${name}.bench.ts`)
  console.error(`${bench.name}: ${bench.summary}`)
  console.error(`${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`)
  const rows = await bench.run((line) => console.error(`  ${line}`))
  console.log(table(rows))
  if (args.includes('--json')) console.log(JSON.stringify({ bench: bench.name, rows }))
}
