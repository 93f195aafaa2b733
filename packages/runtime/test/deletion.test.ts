// Deleting conversations: hidden at once, restorable for a day, then erased from this device with everything they left.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { crashpoints } from '../src/deletion/crashpoint.ts'
import type { FeatureContext } from '../src/feature/feature-context.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import { type ScriptedTurn, startTestModel } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { filesWith } from './support/test-marker.ts'
import { expectWhole, lifeOf } from './support/test-process-life.ts'

vi.setConfig({ testTimeout: 300_000 })
const program = useBundledProgram('test-deletion-process.ts')
const day_ms = 24 * 60 * 60_000

let agent: TestAgent | undefined
let ground: FeatureContext
let shift_ms = 0
afterEach(async () => {
  await agent?.stop()
  agent = undefined
  shift_ms = 0
})

/** "write NAME TEXT" writes a file; everything else is repeated. */
function script(_index: number, { messages }: { readonly messages: readonly { role: string; content: unknown }[] }): ScriptedTurn {
  const last = messages.at(-1)
  const text = String(last?.content)
  if (last?.role !== 'user') return { text: 'Written.' }
  const [, path, content] = /write (\S+) (.+)$/s.exec(text) ?? []
  if (path !== undefined) return { calls: [{ name: 'fs.write', arguments: { path, content } }] }
  return { text: `You said ${text}` }
}

async function start(): Promise<TestAgent> {
  const clock = { ...systemClock, now: () => systemClock.now() + shift_ms }
  const watch = (given: FeatureContext) => {
    ground = given
    return { name: 'watcher' }
  }
  agent = await startTestAgent(script, { clock, features: [watch] })
  return agent
}

async function create(one: TestAgent, title: string, approval_mode: 'auto' | 'required' = 'auto') {
  const agent_id = await one.agent()
  await one.policy(agent_id, 'fs.write', { approval_mode })
  return (await one.call('conversation_create', { agent_id, title, workspace: one.workspace })).conversation.conversation_id
}

async function say(one: TestAgent, conversation_id: string, text: string): Promise<string> {
  const { run } = await one.call('agent_run_start', { conversation_id, text })
  await one.runtime.settled(run.run_id)
  return run.run_id
}

const erase = () => ground.scheduler.runNow('erase_conversations')
const titles = async (one: TestAgent, params: { deleted?: boolean } = {}) =>
  (await one.call('conversation_list', params)).items.map(({ title }) => title)

test('a deleted conversation is shown nowhere, and can be restored with everything for a day', async () => {
  const one = await start()
  const kept = await create(one, 'Kept')
  const gone = await create(one, 'Gone')
  await say(one, kept, 'keepsake')
  await say(one, gone, 'write a.txt zebrafinch')
  await one.call('conversation_pin', { conversation_id: gone, pinned: true })
  expect(await one.call('conversation_preview_delete', { conversation_ids: [gone] })).toEqual({
    conversation_ids: [gone],
    open_run_ids: [],
    recovery_points: 1,
    memories: 0,
    unmerged_copies: [],
    signed_out: false,
  })
  const before = (await one.call('message_list', { conversation_id: gone })).items
  await one.call('conversation_delete', { conversation_ids: [gone] })
  expect([await titles(one), await titles(one, { deleted: true })]).toEqual([['Kept'], ['Gone']])
  expect((await one.call('conversation_search', { query: 'zebrafinch' })).found).toEqual([])
  expect((await one.call('agent_run_list', {})).items.map(({ conversation_id }) => conversation_id)).toEqual([kept])
  expect(await one.runtime.commands.call('agent_run_start', { conversation_id: gone, text: 'more' })).toMatchObject({
    ok: false,
    error: { code: 'transition_refused', message: expect.stringContaining('restore it') },
  })
  // Not yet: a day has not passed.
  shift_ms = day_ms - 60_000
  await erase()
  await one.call('conversation_restore', { conversation_ids: [gone] })
  shift_ms = 3 * day_ms
  await erase()
  expect((await titles(one)).toSorted()).toEqual(['Gone', 'Kept'])
  expect((await one.call('conversation_get', { conversation_id: gone })).conversation).toMatchObject({ pinned: true, hidden: false })
  expect((await one.call('message_list', { conversation_id: gone })).items).toEqual(before)
  expect((await one.call('conversation_search', { query: 'zebrafinch' })).found).toHaveLength(1)
})

test('each change of a conversation is an event, so that windows show what other programs did', async () => {
  const one = await start()
  const conversation_id = await create(one, 'Kept')
  await say(one, conversation_id, 'keepsake')
  await one.call('conversation_rename', { conversation_id, title: 'Other' })
  for (const pinned of [true, false]) await one.call('conversation_pin', { conversation_id, pinned })
  for (const hidden of [true, false]) await one.call('conversation_hide', { conversation_id, hidden })
  await one.call('conversation_delete', { conversation_ids: [conversation_id] })
  // Again: it changes nothing.
  await one.call('conversation_delete', { conversation_ids: [conversation_id] })
  await one.call('conversation_restore', { conversation_ids: [conversation_id] })
  const { items } = await one.call('event_list', { last: 500 })
  const announced = items.flatMap(({ event }) =>
    event.event === 'conversation_changed' ? [[event.conversation_id, event.data.change]] : [],
  )
  const changes = ['created', 'renamed', 'pinned', 'unpinned', 'archived', 'unarchived', 'deleted', 'restored']
  expect(announced).toEqual(changes.map((change) => [conversation_id, change]))
})

test('an erased conversation leaves no word, file or recovery point; what refers to it says that it was deleted', async () => {
  const one = await start()
  const kept = await create(one, 'Kept')
  await say(one, kept, `keepsake ${'k'.repeat(70_000)}`)
  const gone = await create(one, 'Quokkamarker title')
  const attached = await one.call('attachment_add', {
    name: 'a.txt',
    media_type: 'text/plain',
    data: Buffer.from('quokkamarker attached').toString('base64'),
  })
  const { run } = await one.call('agent_run_start', {
    ...{ conversation_id: gone, text: `write a.txt quokkamarker ${'q'.repeat(70_000)}` },
    attachments: [attached.attachment],
  })
  await one.runtime.settled(run.run_id)
  await say(one, gone, 'I prefer tabs over spaces in every project.')
  const remembered = async () => (await one.call('memory_list', {})).items.find(({ content }) => content.includes('tabs'))
  await vi.waitFor(async () => expect((await remembered())?.quotes).toHaveLength(1), 60_000)
  expect(filesWith(join(one.folder, 'home'), 'quokkamarker').length).toBeGreaterThan(2)
  rmSync(join(one.workspace, 'a.txt'))
  const used = await one.call('usage_get', {})
  expect(used.total.runs).toBe(3)
  await one.call('conversation_delete', { conversation_ids: [gone] })
  shift_ms = 2 * day_ms
  await erase()
  expect(ground.store.sql.all`SELECT stage, run_ids, files FROM erased_conversations`).toEqual([
    { stage: 'erased', run_ids: '[]', files: '[]' },
  ])
  // Its tokens still count in its month.
  expect(await one.call('usage_get', { month: used.month ?? '' })).toEqual(used)
  const refused = [
    await one.runtime.commands.call('conversation_get', { conversation_id: gone }),
    await one.runtime.commands.call('conversation_restore', { conversation_ids: [gone] }),
    await one.runtime.commands.call('message_list', { conversation_id: gone }),
  ]
  const error = { code: 'conversation_erased', message: expect.stringContaining('was deleted') }
  expect(refused).toMatchObject([
    { ok: false, error },
    { ok: false, error },
    { ok: false, error },
  ])
  expect(await one.runtime.commands.call('agent_run_get', { run_id: run.run_id })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  })
  expect((await remembered())?.quotes).toEqual([{ message_id: expect.any(String), conversation_id: gone, excerpt: '(deleted)' }])
  expect((await one.call('message_list', { conversation_id: kept })).items).toHaveLength(2)
  await say(one, kept, 'still here')
  await one.restart()
  expect(filesWith(join(one.folder, 'home'), 'quokkamarker').map((file) => file.slice(one.folder.length))).toEqual([])
})

test('a branch is deleted with its whole family, and restored with it', async () => {
  const one = await start()
  const parent = await create(one, 'Tea')
  await say(one, parent, 'one')
  const [, answer] = (await one.call('message_list', { conversation_id: parent })).items
  const { conversation } = await one.call('conversation_branch', { message_id: answer?.message_id ?? '', keep: 'through' })
  const branch = conversation.conversation_id
  await say(one, branch, 'two')
  const { conversation_ids } = await one.call('conversation_delete', { conversation_ids: [branch] })
  expect(conversation_ids.toSorted()).toEqual([parent, branch].toSorted())
  expect(await titles(one)).toEqual([])
  await one.call('conversation_restore', { conversation_ids: [parent] })
  expect(await titles(one)).toEqual(['Tea', 'Tea'])
})

test('a conversation waits for a branch that was deleted later: both can be restored as long as one can', async () => {
  const one = await start()
  const parent = await create(one, 'Tea')
  await say(one, parent, 'one')
  const [, answer] = (await one.call('message_list', { conversation_id: parent })).items
  const { conversation } = await one.call('conversation_branch', { message_id: answer?.message_id ?? '', keep: 'through' })
  const branch = conversation.conversation_id
  await say(one, branch, 'two')
  await one.call('conversation_delete', { conversation_ids: [parent] })
  // As if it had only arrived now from the device where it was started.
  ground.journal.conversations.remove(branch, null)
  shift_ms = 2 * day_ms
  await erase()
  await one.call('conversation_delete', { conversation_ids: [branch] })
  shift_ms = 3 * day_ms - 60_000
  await erase()
  await one.call('conversation_restore', { conversation_ids: [branch] })
  expect(await titles(one)).toEqual(['Tea', 'Tea'])
  await one.call('conversation_delete', { conversation_ids: [branch] })
  shift_ms = 5 * day_ms
  await erase()
  expect([await titles(one), await titles(one, { deleted: true })]).toEqual([[], []])
})

test('with an account, nothing is erased before the device has heard whether another one restored it', async () => {
  const one = await start()
  const gone = await create(one, 'Gone')
  await say(one, gone, 'hello')
  const session = { user_id: 'u', email: 'a@example.com', session_id: 's', access_token: 't', refresh_token: 'r', ended: null }
  const expires_at = systemClock.now() + 30 * day_ms
  // Nothing answers there.
  const account = { ...session, cloud_url: 'http://127.0.0.1:1', expires_at }
  await one.restart({}, () => writeFileSync(join(one.folder, 'home/account.json'), JSON.stringify(account)))
  await one.call('conversation_delete', { conversation_ids: [gone] })
  const { sql, clock } = ground.store
  // The cloud received the deletion, the device was told everything there was, and went to sleep.
  sql.run`DELETE FROM outbox`
  sql.run`UPDATE sync_state SET pulled_at = ${clock.now()}`
  shift_ms = 3 * day_ms
  await erase()
  expect(await titles(one, { deleted: true })).toEqual(['Gone'])
  sql.run`UPDATE sync_state SET pulled_at = ${clock.now()}`
  await erase()
  expect(await titles(one, { deleted: true })).toEqual([])
})

test('after signing out, the end of the 24 hours is not delayed, and the question says that other devices keep the conversation', async () => {
  const one = await start()
  const gone = await create(one, 'Gone')
  await say(one, gone, 'hello')
  // As it was left by signing out: the folder belongs to the account, and not everything was sent.
  ground.store.sql.run`UPDATE sync_state SET user_id = 'u'`
  expect(ground.store.sql.get`SELECT count(*) > 0 AS waits FROM outbox`).toEqual({ waits: 1 })
  expect((await one.call('conversation_preview_delete', { conversation_ids: [gone] })).signed_out).toBe(true)
  await one.call('conversation_delete', { conversation_ids: [gone] })
  shift_ms = day_ms + 60_000
  await erase()
  expect(ground.store.sql.all`SELECT conversation_id, stage FROM erased_conversations`).toEqual([
    { conversation_id: gone, stage: 'erased' },
  ])
})

test('a conversation and its branch are erased together: neither before the cloud has received both deletions', async () => {
  const one = await start()
  const parent = await create(one, 'Tea')
  await say(one, parent, 'one')
  const [, answer] = (await one.call('message_list', { conversation_id: parent })).items
  const { conversation } = await one.call('conversation_branch', { message_id: answer?.message_id ?? '', keep: 'through' })
  await say(one, conversation.conversation_id, 'two')
  const session = { user_id: 'u', email: 'a@example.com', session_id: 's', access_token: 't', refresh_token: 'r', ended: null }
  const account = { ...session, cloud_url: 'http://127.0.0.1:1', expires_at: systemClock.now() + 30 * day_ms }
  await one.restart({}, () => writeFileSync(join(one.folder, 'home/account.json'), JSON.stringify(account)))
  await one.call('conversation_delete', { conversation_ids: [parent] })
  const { sql, clock } = ground.store
  sql.run`UPDATE sync_state SET user_id = 'u'`
  shift_ms = 2 * day_ms
  sql.run`UPDATE sync_state SET pulled_at = ${clock.now()}`
  // Only the deletion of the branch was not sent yet.
  sql.run`DELETE FROM outbox WHERE run IS NULL OR run IN (
    SELECT r.no FROM runs r JOIN conversations c ON c.no = r.conversation WHERE c.conversation_id = ${parent})`
  await erase()
  expect(await titles(one, { deleted: true })).toEqual(['Tea', 'Tea'])
  sql.run`DELETE FROM outbox`
  await erase()
  expect(await titles(one, { deleted: true })).toEqual([])
})

test('a waiting conversation is only deleted if its run may be stopped', async () => {
  const one = await start()
  const waiting = await create(one, 'Waiting', 'required')
  const run_id = await say(one, waiting, 'write a.txt text')
  expect((await one.call('conversation_preview_delete', { conversation_ids: [waiting] })).open_run_ids).toEqual([run_id])
  expect(await one.runtime.commands.call('conversation_delete', { conversation_ids: [waiting] })).toMatchObject({
    ok: false,
    error: { code: 'run_busy', message: expect.stringMatching(/"Waiting" is waiting .*: stop it first/) },
  })
  await one.call('conversation_delete', { conversation_ids: [waiting], stop: true })
  expect(one.runtime.journal.run(run_id)?.state).toBe('canceled')
  expect((await one.call('approval_list', {})).items).toEqual([])
})

test('erasing all conversations leaves an empty, working device', async () => {
  const one = await start()
  const all = await Promise.all(['a', 'b', 'c'].map((title) => create(one, title)))
  for (const id of all) await say(one, id, 'hello')
  await one.call('conversation_delete', { conversation_ids: all })
  shift_ms = 2 * day_ms
  await erase()
  expect([await titles(one), await titles(one, { deleted: true })]).toEqual([[], []])
  const next = await create(one, 'd')
  await say(one, next, 'hello again')
  expect((await one.call('agent_run_list', {})).items.map(({ state }) => state)).toEqual(['completed'])
})

test('killed at every point while it erases, and again at the next one, it ends the same: nothing is left, nothing else is lost', async () => {
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-deletion-')))
  const model = await startTestModel(script)
  onTestFinished(async () => {
    await model.close()
    rmSync(place, { recursive: true, force: true })
  })
  const folder = join(place, 'killed')
  mkdirSync(join(folder, 'workspace'), { recursive: true })
  const file = join(place, 'points')
  writeFileSync(file, '')
  let kills = 0
  for (;;) {
    const life = await lifeOf(program, [folder, model.base_url], { kill: 'each_point_once', file, among: [...crashpoints] })
    if (life.code !== 0) {
      expect(life.signal, life.errors).toBe('SIGKILL')
      kills += 1
      continue
    }
    expectWhole(life, folder, 'erased')
    expect(life.end).toEqual({ stages: ['erased', 'erased'], titles: ['Kept'], points: 1, gone: [], kept: true })
    break
  }
  expect(readFileSync(file, 'utf8').trim().split('\n').toSorted()).toEqual([...crashpoints].toSorted())
  expect(kills).toBe(crashpoints.length)
})
