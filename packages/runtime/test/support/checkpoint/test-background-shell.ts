// A background command for tests: a real process that writes on request.
import { spawn } from 'node:child_process'
import type { BackgroundProcess } from '../../../src/checkpoint/background-points.ts'

export interface BackgroundShell extends BackgroundProcess {
  /** Resolves when the command has been executed. */
  run(command: string): Promise<void>
}

export function openShell(cwd: string): BackgroundShell {
  const shell = spawn('bash', [], { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  shell.once('exit', () => resolve())
  let said = ''
  let heard: () => void = () => undefined
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text
    heard()
  })
  let commands = 0
  return {
    ended,
    pids: () => (shell.pid !== undefined && isAlive(shell.pid) ? [shell.pid] : []),
    async kill() {
      shell.kill('SIGKILL')
      await ended
    },
    async run(command) {
      commands += 1
      const done = `done ${commands};`
      shell.stdin.write(`{ ${command}\n} > /dev/null\necho '${done}'\n`)
      while (!said.includes(done)) {
        await new Promise<void>((next) => {
          heard = next
        })
      }
    },
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    // No such process.
    return false
  }
}
