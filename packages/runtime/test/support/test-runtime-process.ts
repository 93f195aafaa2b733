// A whole runtime in its own process, which a test can kill. It is driven by commands over the IPC channel.
// usage: fork(test-runtime-process.ts, [FOLDER, MODEL_URL])
import { join } from 'node:path'
import { openRuntime } from '../../src/runtime.ts'

const [folder = '', base_url = ''] = process.argv.slice(2)

const runtime = openRuntime({
  home: join(folder, 'home'),
  workspace: join(folder, 'workspace'),
  environment: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: base_url,
    TANDEM_MODEL: 'test/model',
  },
  log: (line) => console.error(line),
})

process.on('message', async ({ no, name, params }: { no: number; name: 'settled' | 'stop' | (string & {}); params: unknown }) => {
  if (name === 'stop') {
    await runtime.stop()
    process.exit()
  }
  if (name === 'settled') return void process.send?.({ no, answer: { ok: true, value: await runtime.settled(String(params)) } })
  process.send?.({ no, answer: await runtime.commands.call(name as never, params as never) })
})
process.send?.({ ready: true })
