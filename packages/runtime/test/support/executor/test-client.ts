// A whole runtime in its own process: the device of the user, which a test can kill.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'

const program = fileURLToPath(new URL('../test-runtime-process.ts', import.meta.url))

export interface TestClient {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  settled(run_id: string): Promise<void>
  kill(): Promise<void>
}

export async function startTestClient(folder: string, model_url: string): Promise<TestClient> {
  const child: ChildProcess = fork(program, [folder, model_url], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const waiting = new Map<number, (answer: { ok: boolean; value: never; error: unknown }) => void>()
  let last = 0
  await once(child, 'message')
  child.on('message', ({ no, answer }: { no: number; answer: never }) => waiting.get(no)?.(answer))
  function ask(name: string, params: unknown): Promise<never> {
    last += 1
    const no = last
    return new Promise((resolve, reject) => {
      waiting.set(no, ({ ok, value, error }) => (ok ? resolve(value) : reject(new Error(`${name}: ${JSON.stringify(error)}`))))
      child.send({ no, name, params })
    })
  }
  return {
    call: ask,
    settled: (run_id) => ask('settled', run_id),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}
