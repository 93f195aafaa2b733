// The runtime of a process that a test starts and kills: it works in a folder, and is driven by commands.
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime, type Runtime, type RuntimeOptions } from '../../src/runtime.ts'

export interface ProcessRuntime {
  readonly runtime: Runtime
  readonly workspace: string
  /** Throws what was refused. */
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>>
  /** Stops it, and prints the result of the process as its last line. */
  end(result: unknown): Promise<void>
}

export function openProcessRuntime(folder: string, model_url: string, options: Partial<RuntimeOptions> = {}): ProcessRuntime {
  const alive = setInterval(() => undefined, 60_000)
  const workspace = join(folder, 'workspace')
  const model = { TANDEM_MODEL_URL: model_url, TANDEM_MODEL: 'test/model' }
  const runtime = openRuntime({
    home: join(folder, 'home'),
    workspace,
    log: (line) => console.error(line),
    ...options,
    environment: { PATH: process.env.PATH, TANDEM_MEMORY_MODEL: 'off', ...model, ...options.environment },
  })
  return {
    runtime,
    workspace,
    async call(name, params) {
      const answered = await runtime.commands.call(name, params)
      if (!answered.ok) throw new Error(`${name}: ${answered.error.code}: ${answered.error.message}`)
      return answered.value
    },
    async end(result) {
      await runtime.stop()
      clearInterval(alive)
      console.log(JSON.stringify(result))
    },
  }
}
