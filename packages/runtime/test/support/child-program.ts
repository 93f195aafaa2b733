// Work in its own process: its cost can be measured, and it is killed if it never ends.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Far longer than the work takes on the busiest machine, and far shorter than work that grows without bound. */
const patience_ms = 60_000

/** `program` is a module that prints a JSON value; `{{name}}` in it is the URL of that source file. */
export async function runInChildProcess(program: string, files: Readonly<Record<string, URL>>): Promise<unknown> {
  const text = program.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => JSON.stringify(files[name]?.href))
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', text], { timeout: patience_ms, killSignal: 'SIGKILL' })
  return JSON.parse(stdout)
}
