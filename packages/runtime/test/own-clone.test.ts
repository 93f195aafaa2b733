// Started in Tandem's own clone, as by `npm start`: nothing works there unless the user chooses it.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { programFolder } from '../src/path/program-folder.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const exported = {
  source: 'chatgpt' as const,
  source_id: 'c-1',
  title: 'Bread',
  created_at: '2024-03-01T10:00:00.000Z',
  updated_at: '2024-03-01T11:00:00.000Z',
  messages: [
    { role: 'user' as const, text: 'How do I bake bread?', created_at: '2024-03-01T10:00:00.000Z' },
    { role: 'assistant' as const, text: 'With rye flour.', created_at: '2024-03-01T10:01:00.000Z' },
  ],
}

async function begin(): Promise<string> {
  agent = await startTestAgent([{ text: 'As I said.' }], { startedIn: programFolder() })
  const home = join(agent.folder, 'user')
  mkdirSync(home)
  await agent.restart({ HOME: home })
  return home
}

const mustChoose = { ok: false, error: { code: 'invalid_params', fields: [{ field: 'workspace', message: 'must be chosen' }] } }

test('an imported conversation has no folder until the user chooses one', async () => {
  const home = await begin()
  const { conversation_id } = await agent.call('conversation_import', exported)
  expect((await agent.call('conversation_get', { conversation_id })).conversation.workspace).toBe('')
  expect(await agent.call('workspace_recent', {})).toMatchObject({ items: [], default: { path: join(home, 'Tandem'), state: 'new' } })
  expect(await agent.runtime.commands.call('agent_run_start', { conversation_id, text: 'And then?' })).toMatchObject({
    error: { fields: [{ field: 'workspace' }] },
  })
  expect((await agent.call('workspace_list_files', { conversation_id })).items).toEqual([])
  const { run } = await agent.call('agent_run_start', { conversation_id, text: 'And then?', workspace: agent.workspace })
  expect(await agent.runtime.settled(run.run_id)).toMatchObject({ state: 'completed' })
  expect(agent.runtime.journal.run(run.run_id)?.workspace).toBe(agent.workspace)
  expect((await agent.call('workspace_recent', {})).default.path).toBe(agent.workspace)
})

test('a command that names no folder does not use the clone', async () => {
  await begin()
  const { commands } = agent.runtime
  expect(await commands.call('workspace_list_files', {})).toMatchObject(mustChoose)
  expect(await commands.call('conversation_create', {})).toMatchObject(mustChoose)
  // Skills of the user need no folder.
  expect((await agent.call('skill_list', {})).items.filter(({ skill }) => skill.path.startsWith(programFolder()))).toEqual([])
})

test('the clone is offered after the user chose it', async () => {
  await begin()
  await agent.call('conversation_create', { workspace: programFolder() })
  const { items, default: suggested } = await agent.call('workspace_recent', {})
  expect([items.map(({ path }) => path), suggested.path]).toEqual([[programFolder()], programFolder()])
})
