// `tandem` commands in one process, for tests of what they print and store. The arguments, the environment, the folder, the output and the
// status are those of a process of their own, and standard input is empty. Signals, input and terminals need a real one.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'
import { killAndWait } from './process-end.ts'

const program = fileURLToPath(new URL('./test-command-process.js', import.meta.url))
const limit_ms = 60_000

interface CommandResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  /** The command ended the process, as it does after an unexpected error. */
  readonly isOver: boolean
}

type RunCommand = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) => Promise<CommandResult>

/** The process starts with the first command, and ends after the last test of the file. */
export function useCommandProcess(): RunCommand {
  let child: ChildProcess | undefined
  let previous: Promise<unknown> = Promise.resolve()
  afterAll(() => child && killAndWait(child))
  const run: RunCommand = async (args, cwd, env) => {
    if (!child?.connected) child = fork(program, { execArgv: [], env: {}, stdio: ['pipe', 'inherit', 'inherit', 'ipc'] })
    child.stdin?.end()
    const result = answered(child, args)
    child.send({ args, cwd, env })
    if ((await result).isOver) child = undefined
    return result
  }
  return (args, cwd, env) => {
    const result = previous.then(() => run(args, cwd, env))
    previous = result.catch(() => undefined)
    return result
  }
}

function answered(child: ChildProcess, args: readonly string[]): Promise<CommandResult> {
  const timer = setTimeout(() => child.kill('SIGKILL'), limit_ms)
  return new Promise<CommandResult>((resolve, reject) => {
    const fail = () => reject(new Error(`the process ended during tandem ${args.join(' ').slice(0, 200)}`))
    child.once('exit', fail)
    child.once('message', (result) => {
      child.off('exit', fail)
      resolve(result as CommandResult)
    })
  }).finally(() => clearTimeout(timer))
}
