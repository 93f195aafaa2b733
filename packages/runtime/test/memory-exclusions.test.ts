// "Don't remember" and "only in this conversation" hold in branches, and "don't remember" also for the members of a team.
import { afterEach, expect, test, vi } from 'vitest'
import type { ScriptedTurn } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

vi.setConfig({ testTimeout: 120_000 })
const wait = { timeout: 60_000 }

let one: TestAgent
afterEach(() => one.stop())

const turns: ScriptedTurn[] = []

async function started(): Promise<string> {
  one = await startTestAgent(() => turns.shift() ?? { text: 'Fine.' })
  return await one.agent()
}

const create = async (agent_id: string) =>
  (await one.call('conversation_create', { agent_id, workspace: one.workspace })).conversation.conversation_id

async function say(conversation_id: string, text: string): Promise<string> {
  const { run } = await one.call('agent_run_start', { conversation_id, text })
  await one.runtime.settled(run.run_id)
  return JSON.stringify(one.runtime.journal.steps(run.run_id).map(({ step }) => step))
}

/** Another version of a message of the user. */
async function editing(conversation_id: string, text: string): Promise<string> {
  const { items } = await one.call('message_list', { conversation_id })
  const message_id = items.find((message) => message.text === text)?.message_id ?? ''
  const { conversation } = await one.call('conversation_branch', { message_id, keep: 'before' })
  return conversation.conversation_id
}

const remembering = (id: string, remember: boolean) => one.call('memory_set_remembering', { kind: 'conversation', id, remember })
const reviewed = (agent_id: string) => one.call('memory_run_heartbeat_review', { agent_id })
const remembered = async (agent_id: string) =>
  (await one.call('memory_list', { agent_id })).items.filter(({ state }) => state === 'active').map(({ content }) => content)
const excluded = async () => (await one.call('memory_status', {})).excluded.conversations
const indexed = (agent_id: string) =>
  expect.poll(async () => (await one.call('memory_search', { agent_id, query: 'anything' })).late, wait).toBe(false)

test('a branch of a conversation that is not remembered is not remembered either, until it is turned on there', async () => {
  const agent_id = await started()
  await one.call('memory_add', { agent_id, content: 'I drink oolong tea.', memory_kind: 'preference' })
  await indexed(agent_id)
  const parent = await create(agent_id)
  await say(parent, 'Where were we?')
  await remembering(parent, false)
  const branch = await editing(parent, 'Where were we?')
  await say(branch, 'I prefer pnpm over npm for every project. Which oolong tea do I drink?')
  expect(JSON.stringify(one.model.requests.at(-1))).not.toContain('I drink oolong tea.')
  const second = await editing(branch, 'I prefer pnpm over npm for every project. Which oolong tea do I drink?')
  turns.push({ calls: [{ name: 'memory.search', arguments: { query: 'tea' } }] })
  expect(await say(second, 'I prefer Vim over Emacs for every project.')).toContain('turned off remembering')
  await reviewed(agent_id)
  expect(await remembered(agent_id)).toEqual(['I drink oolong tea.'])
  const { exact_evidence } = await one.call('memory_search', { agent_id, query: 'pnpm Vim project' })
  const { user_model } = await one.call('memory_get_user_model', { agent_id })
  expect([exact_evidence, user_model.cadence_profile.signals]).toEqual([[], []])
  expect((await excluded()).toSorted()).toEqual([parent, branch, second].toSorted())

  await remembering(second, true)
  expect(await excluded()).toEqual([])
  await say(second, 'I prefer tabs over spaces in all my code.')
  await reviewed(agent_id)
  expect((await remembered(agent_id)).join()).toContain('tabs over spaces')
})

test('what was learned in a branch is archived when its conversation is no longer remembered', async () => {
  const agent_id = await started()
  const parent = await create(agent_id)
  await say(parent, 'Where were we?')
  const branch = await editing(parent, 'Where were we?')
  await say(branch, 'I prefer pnpm over npm for every project.')
  await reviewed(agent_id)
  expect(await remembered(agent_id)).toHaveLength(1)
  await remembering(parent, false)
  expect(await remembered(agent_id)).toEqual([])
  await remembering(parent, true)
  expect(await remembered(agent_id)).toHaveLength(1)
})

test('a member of a team remembers nothing for a conversation that is not remembered', async () => {
  const agent_id = await started()
  await one.policy(agent_id, 'agent.delegate', { approval_mode: 'auto' })
  await one.policy(agent_id, 'memory.add', { approval_mode: 'auto' })
  const conversation_id = await create(agent_id)
  await remembering(conversation_id, false)
  turns.push(
    { calls: [{ name: 'agent.delegate', arguments: { title: 'Count', task: 'Count the cups.' } }] },
    {
      calls: [{ name: 'memory.add', arguments: { content: 'The cupboard holds seven cups.', memory_kind: 'semantic', about: 'cupboard' } }],
    },
  )
  const { run } = await one.call('agent_run_start', { conversation_id, text: 'Count them.' })
  await expect.poll(() => one.runtime.journal.run(run.run_id)?.state, wait).toBe('completed')
  const [member = ''] = one.runtime.journal.childrenOf(run.run_id)
  expect(JSON.stringify(one.runtime.journal.steps(member))).toContain('turned off remembering')
  expect(await remembered(agent_id)).toEqual([])
})

test('what applies only in a conversation applies in its branches, and nowhere else', async () => {
  const agent_id = await started()
  const parent = await create(agent_id)
  await say(parent, 'Where were we?')
  const content = 'The drafts of the almanac are named after rivers.'
  await one.call('memory_add', { agent_id, content, memory_kind: 'semantic', conversation_id: parent, only_in_conversation: true })
  await indexed(agent_id)
  const branch = await editing(parent, 'Where were we?')
  const question = 'How are the drafts of the almanac named?'
  turns.push({ calls: [{ name: 'memory.search', arguments: { query: question } }] })
  const found = await say(branch, question)
  expect([found.includes(content), JSON.stringify(one.model.requests.at(-1)).includes(content)]).toEqual([true, true])
  await one.ask(agent_id, question)
  expect(JSON.stringify(one.model.requests.at(-1))).not.toContain(content)
})
