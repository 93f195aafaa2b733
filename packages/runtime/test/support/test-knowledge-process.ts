// One process of a runtime with a knowledge base: it continues what an earlier one left until all of it is done.
// usage: node --import test-crash-preload.ts test-knowledge-process.ts FOLDER. The last line of the output is the result.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName, CommandParams, CommandResult } from '@tandem/contract/command'
import { openRuntime } from '../../src/runtime.ts'

const [folder = ''] = process.argv.slice(2)
const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
const alive = setInterval(() => undefined, 60_000)
const everyone = { kind: 'everyone' } as const
const secret = 'zephyranthes'

const runtime = openRuntime({
  ...{ home, workspace },
  environment: { PATH: process.env.PATH, HOME: process.env.HOME, TANDEM_MEMORY_MODEL: 'off' },
  log: (line) => console.error(line),
})

async function call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandResult<Name>> {
  const answered = await runtime.commands.call(name, params)
  if (!answered.ok) throw new Error(`${name}: ${answered.error.code}: ${answered.error.message}`)
  return answered.value
}

async function settled(): Promise<CommandResult<'kb_list'>['items']> {
  for (;;) {
    const { items } = await call('kb_list', {})
    if (items.every(({ state }) => state === 'ready')) return items
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

await call('runtime_set_settings', { sections: [{ section: 'recall', setting: 'embeddings', value: 'off' }] })
await call('kb_add', { path: workspace, name: 'Notes', owner: everyone })
await settled()
// A text that is added and removed again: by which of the processes does not matter.
const { items: before } = await call('kb_list', {})
if (!before.some(({ name }) => name === 'Diary')) await call('kb_add', { text: `The ${secret} flowers.`, name: 'Diary', owner: everyone })
for (const { source_id, name } of await settled()) if (name === 'Diary') await call('kb_remove', { source_id })
await call('kb_reindex', {})
const sources = await settled()
const end = await howItEnded()
await runtime.stop()
clearInterval(alive)
console.log(JSON.stringify({ ...end, leftovers: leftovers() }))

async function howItEnded() {
  const [source] = sources
  const { items } = await call('kb_list_files', { source_id: source?.source_id ?? '', limit: 200 })
  const { hits } = await call('kb_search', { query: 'boat number seven', limit: 50 })
  return {
    sources: sources.map(({ name, state, files, left_out, passages }) => ({ name, state, files, left_out, passages })),
    files: items.map(({ name, passages, problem }) => [name, passages, problem]),
    hits: hits.map(({ citation, text }) => [citation, text]).toSorted(),
  }
}

/** Files of the knowledge base that still contain what was removed. */
function leftovers(): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && (entry.name.startsWith('kb.db') || entry.parentPath.endsWith('/kb')))
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1').includes(secret))
    .map(({ name }) => name)
}
