// Runs `tandem` commands one after the other in one process and prints their output: a process for each would take minutes.
import { readFileSync } from 'node:fs'
import { commands } from '../../src/command/commands.ts'
import { reportCrash } from '../../src/terminal/crash.ts'

const [name = '', file = ''] = process.argv.slice(2)
const all = JSON.parse(readFileSync(file, 'utf8')) as string[][]
const results: { args: string[]; status: number; text: string }[] = []
for (const args of all) {
  const lines: string[] = []
  const take = (...texts: unknown[]) => void lines.push(texts.map(String).join(' '))
  Object.assign(console, { log: take, error: take, warn: take })
  let status: number
  try {
    status = (await commands[name]?.run(args)) ?? -1
  } catch (error) {
    reportCrash(name, error)
    status = -1
  }
  results.push({ args, status, text: lines.join('\n') })
}
// A pipe takes a long text in pieces: the process must not end before the last one.
process.stdout.write(JSON.stringify(results), () => process.exit(0))
