// What an agent was given, in whatever way, is no memory, and what the user said before a branch counts as said in it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { skillText } from './support/skill/test-skills.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })

let one: TestAgent
afterEach(() => one.stop())

const turns: ScriptedTurn[] = []
const announced = 'Releases are announced on the second Tuesday of every month.'
const repeats = 'it repeats what a tool returned'

async function started(): Promise<string> {
  one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
  const agent_id = await one.agent()
  for (const tool of ['memory.add', 'fs.read']) await one.policy(agent_id, tool, { approval_mode: 'auto' })
  return agent_id
}

const create = async (agent_id: string) =>
  (await one.call('conversation_create', { agent_id, workspace: one.workspace })).conversation.conversation_id

type Attached = Awaited<ReturnType<typeof one.call<'attachment_add'>>>['attachment']

/** Returns what the calls of the run returned. */
async function say(conversation_id: string, text: string, attachments: Attached[] = []): Promise<string> {
  const { run } = await one.call('agent_run_start', { conversation_id, text, attachments })
  await one.runtime.settled(run.run_id)
  const steps = one.runtime.journal.steps(run.run_id).map(({ step }) => step)
  return JSON.stringify(steps.filter(({ kind }) => kind === 'tool.result'))
}

const adding = (content: string, about: string): ScriptedTurn => ({
  calls: [{ name: 'memory.add', arguments: { content, memory_kind: 'semantic', about } }],
})

test('in a branch, what was read before it is no conclusion, and what the user said before it was said', async () => {
  const agent_id = await started()
  writeFileSync(join(one.workspace, 'page.md'), `Welcome.\n\n${announced}\n`)
  const parent = await create(agent_id)
  turns.push({ calls: [{ name: 'fs.read', arguments: { path: 'page.md' } }] })
  const own = 'Our backups always go to backup.example.com at night.'
  await say(parent, own)
  await say(parent, 'Go on.')
  const { items } = await one.call('message_list', { conversation_id: parent })
  const message_id = items.find(({ text }) => text === 'Go on.')?.message_id ?? ''
  const { conversation } = await one.call('conversation_branch', { message_id, keep: 'before' })
  turns.push(adding(announced, 'releases'))
  expect(await say(conversation.conversation_id, 'Remember that.')).toContain(repeats)
  turns.push(adding('Backups go to backup.example.com at night.', 'backups'))
  expect(await say(conversation.conversation_id, 'And where they go.')).toContain('"outcome":"succeeded"')
  const said = items.find(({ text }) => text === own)?.message_id
  const list = (await one.call('memory_list', { agent_id })).items.filter(({ subject }) => subject === 'entity:backups')
  expect(list).toMatchObject([{ authority: 'person', quotes: [{ message_id: said, conversation_id: parent }] }])
})

test('what is in an attachment is no conclusion', async () => {
  const agent_id = await started()
  const data = Buffer.from(`Welcome.\n\n${announced}\n`).toString('base64')
  const { attachment } = await one.call('attachment_add', { name: 'page.md', media_type: 'text/markdown', data })
  turns.push(adding(announced, 'releases'))
  expect(await say(await create(agent_id), 'Remember that.', [attachment])).toContain(repeats)
})

test('what a skill says is no conclusion', async () => {
  const agent_id = await started()
  const folder = join(one.folder, 'home', 'skills', 'releases')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'SKILL.md'), skillText('releases', '', announced))
  await one.call('skill_bind', { agent_id, skill_name: 'releases', binding_policy: 'always', reviewed_sha256: null })
  turns.push(adding(announced, 'releases'))
  expect(await say(await create(agent_id), 'Remember that.')).toContain(repeats)
})
