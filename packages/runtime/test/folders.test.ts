// Folders of conversations: recent ones, the folder browser, what a path can be refused for, and another folder for a conversation that ran.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

let agent: TestAgent
afterEach(() => agent.stop())

function script(_index: number, { messages }: { readonly messages: readonly { role: string; content: unknown }[] }): ScriptedTurn {
  const last = messages.at(-1)
  const [, path, content] = /write (\S+) (.+)$/.exec(String(last?.content)) ?? []
  return last?.role === 'user' && path !== undefined ? { calls: [{ name: 'fs.write', arguments: { path, content } }] } : { text: 'Done.' }
}

async function begin(): Promise<string> {
  agent = await startTestAgent(script)
  const home = join(agent.folder, 'user')
  mkdirSync(home)
  await agent.restart({ HOME: home })
  return home
}

async function say(conversation_id: string, text: string): Promise<string> {
  const { run } = await agent.call('agent_run_start', { conversation_id, text })
  await agent.runtime.settled(run.run_id)
  return run.run_id
}

const names = async (params: { path?: string; hidden?: boolean; starts_with?: string; limit?: number; cursor?: string }) =>
  (await agent.call('workspace_browse', params)).items.map(({ name }) => name)

test('the browser lists folders only: hidden ones on request, links with their target', async () => {
  const home = await begin()
  for (const name of ['b', 'A10', 'A2', '.hidden', 'closed']) mkdirSync(join(home, name))
  writeFileSync(join(home, 'file.txt'), 'secret')
  symlinkSync('b', join(home, 'to-b'))
  symlinkSync('file.txt', join(home, 'to-file'))
  symlinkSync('nowhere', join(home, 'to-nothing'))
  const listed = await agent.call('workspace_browse', {})
  expect(listed).toMatchObject({ path: home, parent: agent.folder, hidden_folders: 1, truncated: false, next_cursor: null })
  expect(listed.items.map(({ name, link }) => [name, link])).toEqual([
    ['A2', null],
    ['A10', null],
    ['b', null],
    ['closed', null],
    ['to-b', 'b'],
  ])
  expect(await names({ hidden: true })).toContain('.hidden')
  expect(await names({ starts_with: '.h' })).toEqual(['.hidden'])
  expect(await names({ path: '~', starts_with: 'a' })).toEqual(['A2', 'A10'])
  const first = await agent.call('workspace_browse', { limit: 3 })
  rmSync(join(home, 'b'), { recursive: true })
  expect(await names({ limit: 3, cursor: first.next_cursor ?? '' })).toEqual(['closed'])
})

test('a path is refused with the reason', async () => {
  const home = await begin()
  writeFileSync(join(home, 'file.txt'), '')
  const check = async (workspace: string) => {
    const answer = await agent.runtime.commands.call('workspace_check', { workspace })
    return answer.ok ? answer.value.workspace : answer.error.fields?.[0]?.message
  }
  expect([
    await check('~'),
    await check('project'),
    await check('~/nothing'),
    await check('~/file.txt'),
    await check('~/file.txt/below'),
    await check(join(agent.folder, 'home')),
    await check(join(agent.folder, 'home', 'checkpoints')),
  ]).toEqual([
    home,
    'must be an absolute path, such as ~/project',
    'does not exist',
    'is a file; choose a folder',
    'does not exist',
    "is in Tandem's own folder; choose another one",
    expect.stringMatching(/does not exist|own folder/),
  ])
})

test('recent folders are those of conversations, last used first; missing ones say so', async () => {
  const home = await begin()
  for (const name of ['one', 'two']) {
    await agent.call('workspace_make_folder', { workspace: `~/${name}` })
    await agent.call('conversation_create', { workspace: `~/${name}` })
  }
  rmSync(join(home, 'one'), { recursive: true })
  const recent = await agent.call('workspace_recent', {})
  expect(recent.items.map(({ path, conversations, state }) => [path, conversations, state])).toEqual([
    [join(home, 'two'), 1, 'available'],
    [join(home, 'one'), 1, 'missing'],
  ])
  expect([recent.default, recent.home]).toEqual([{ path: join(home, 'two'), state: 'available' }, home])
})

test('a new folder is created in an existing one', async () => {
  const home = await begin()
  const make = (workspace: string) => agent.runtime.commands.call('workspace_make_folder', { workspace })
  expect(await make('~/Tandem')).toEqual({ ok: true, value: { workspace: join(home, 'Tandem'), name: 'Tandem' } })
  expect(await make('~/Tandem')).toMatchObject({
    error: { fields: [{ field: 'workspace', message: 'cannot be created: it already exists' }] },
  })
  expect(await make('~/no/where')).toMatchObject({ error: { fields: [{ field: 'workspace' }] } })
  expect(await make(join(agent.folder, 'home', 'x'))).toMatchObject({ ok: false })
  expect(existsSync(join(agent.folder, 'home', 'x'))).toBe(false)
})

test('a conversation that ran gets another folder: the next run works there, earlier ones restore theirs', async () => {
  const home = await begin()
  mkdirSync(join(home, 'app'))
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
  const { conversation_id } = conversation
  writeFileSync(join(agent.workspace, 'a.txt'), 'old')
  const first = await say(conversation_id, 'write a.txt new')
  const moved = await agent.call('conversation_set_workspace', { conversation_id, workspace: '~/app' })
  expect(moved.conversation.workspace).toBe(join(home, 'app'))
  const second = await say(conversation_id, 'write a.txt elsewhere')
  expect(readFileSync(join(home, 'app', 'a.txt'), 'utf8')).toBe('elsewhere')
  expect([first, second].map((run_id) => agent.runtime.journal.run(run_id)?.workspace)).toEqual([agent.workspace, join(home, 'app')])
  const { items } = await agent.call('message_list', { conversation_id })
  expect(items.filter(({ role }) => role === 'system').map(({ text }) => text)).toEqual([
    'The folder changed from workspace to app. The next run works there. Recovery points of earlier runs still restore the earlier folder.',
  ])
  // Both folders are in the list of changes.
  const changes = await agent.call('changes_get', { conversation_id })
  expect(changes.items.map(({ path, undo }) => [path, undo]).toSorted()).toEqual(
    [
      [join(agent.workspace, 'a.txt'), 'possible'],
      [join(home, 'app', 'a.txt'), 'possible'],
    ].toSorted(),
  )
  const points = await agent.call('agent_run_list_checkpoints', { run_id: first })
  await agent.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore', run_id: first, checkpoint_id: points.items[0]?.checkpoint_id ?? '', on_conflict: 'stop', scope: 'files' },
  })
  expect([join(agent.workspace, 'a.txt'), join(home, 'app', 'a.txt')].map((path) => readFileSync(path, 'utf8'))).toEqual([
    'old',
    'elsewhere',
  ])
  // After a restart, too.
  await agent.restart({ HOME: home })
  expect(agent.runtime.journal.run(first)?.workspace).toBe(agent.workspace)
  expect(await agent.runtime.commands.call('conversation_set_workspace', { conversation_id, workspace: 'app' })).toMatchObject({
    error: { fields: [{ field: 'workspace', message: 'must be an absolute path, such as ~/project' }] },
  })
})
