// A device in its own process: its commands are called as in this one, and it can be killed with all its children.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { killTree } from '../packages/runtime/src/sandbox/command/process-tree.ts'

export interface CloudRuntime extends AsyncDisposable {
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  /** Kills it and all processes that it has started with -9. */
  kill(): Promise<void>
}

export interface CloudRuntimeOptions {
  readonly folder: string
  readonly model_url: string
  /** The offset of its wall clock. */
  readonly ahead_ms?: number
}

const program = fileURLToPath(new URL('./cloud-runtime-process.ts', import.meta.url))

export async function startCloudRuntime({ folder, model_url, ahead_ms = 0 }: CloudRuntimeOptions): Promise<CloudRuntime> {
  const child = fork(program, [folder, model_url, String(ahead_ms)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exited = once(child, 'exit')
  const waiting = new Map<number, (answer: { ok: boolean; value: never; error: unknown }) => void>()
  let last = 0
  await Promise.race([once(child, 'message'), exited.then(() => Promise.reject(new Error('the runtime did not start')))])
  child.on('message', ({ no, answer }: { no: number; answer: never }) => waiting.get(no)?.(answer))
  return {
    call(name, params) {
      const no = ++last
      return new Promise((resolve, reject) => {
        waiting.set(no, ({ ok, value, error }) => (ok ? resolve(value) : reject(new Error(`${name}: ${JSON.stringify(error)}`))))
        child.send({ no, name, params })
      })
    },
    async kill() {
      await killTree({ pid: child.pid ?? 0, mark: null, members: () => [] })
      await exited
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.send({ no: 0, name: 'stop' })
      await exited
    },
  }
}
