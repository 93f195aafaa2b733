// A team on one device of an account, and what the other device shows of it while it works: everything from synchronized journals.
import type { Team } from '@tandem/contract/team'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ScriptedTurn, startTestModel } from '../packages/runtime/test/support/model/test-model.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { type CloudDevice, openCloudDevice } from './cloud-device.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })
const patience_ms = 40_000

let server: CloudServer
beforeAll(async () => {
  server = await startCloudServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** The first run starts a member, which starts another one; the last one asks the user. */
function script(_index: number, { messages }: { readonly messages: readonly { readonly role: string; readonly content?: unknown }[] }) {
  const first = String(messages.find(({ role }) => role === 'user')?.content)
  const results = messages.filter(({ role }) => role === 'tool')
  const delegate = (title: string, task: string, role: string): ScriptedTurn => ({
    ...{ calls: [{ name: 'agent.delegate', arguments: { title, task, role } }], usage: { prompt_tokens: 100, completion_tokens: 10 } },
  })
  if (results.length > 0) return { text: `Done: ${first}` }
  if (first.startsWith('Lead')) return delegate('Count', 'Count the cups', 'a counter of cups')
  if (first.startsWith('Count')) return delegate('Ask', 'Ask about mugs', 'a careful asker')
  return { calls: [{ name: 'ask_user', arguments: { question: 'Is a mug a cup?' } }] }
}

const teamOn = async (device: CloudDevice, run_id: string): Promise<Team | null> => {
  const read = await device.runtime.commands.call('team_get', { run_id })
  return read.ok ? read.value.team : null
}

/** What a person sees of each member. */
const shown = (team: Team | null) =>
  team?.members.map(({ title, role, state, pause_reason, doing, turns, usage }) => {
    return { title, role, state, pause_reason, doing, turns, tokens: usage.input_tokens + usage.output_tokens }
  })

test('another device shows the tree of a team live: its members, what they do, what they have spent, and how they end', async () => {
  const model = await startTestModel(script)
  await using desk = openCloudDevice('desk', { environment: { TANDEM_MODEL_URL: model.base_url, TANDEM_MODEL: 'test/model' } })
  await using sofa = openCloudDevice('sofa')
  const person = newUser()
  await desk.signIn(server.url, person, 'new')
  await sofa.signIn(server.url, person, 'known')
  const { conversation } = await desk.call('conversation_create', {})
  const { agent_id, conversation_id } = conversation
  const { policy } = await desk.call('agent_tool_policy_get', { agent_id, tool: 'agent.delegate' })
  await desk.call('agent_tool_policy_set', { agent_id, tool: 'agent.delegate', policy: { ...policy.policy, approval_mode: 'auto' } })
  const { run } = await desk.call('agent_run_start', { conversation_id, text: 'Lead' })
  const { run_id } = run
  const questions = async () => (await desk.call('question_list', {})).items
  await waitFor(async () => (await questions()).length === 1, patience_ms)
  const here = shown(await teamOn(desk, run_id))
  expect(here?.map(({ title, role, state, pause_reason, doing }) => [title, role, state, pause_reason, doing])).toEqual([
    ['Lead', null, 'paused', 'child', 'Delegate “Count” to an agent'],
    ['Count', 'a counter of cups', 'paused', 'child', 'Delegate “Ask” to an agent'],
    ['Ask', 'a careful asker', 'paused', 'question', expect.any(String)],
  ])
  expect(here?.map(({ turns, tokens }) => [turns, tokens])).toEqual([
    [1, 110],
    [1, 110],
    [1, expect.any(Number)],
  ])
  await waitFor(async () => JSON.stringify(shown(await teamOn(sofa, run_id))) === JSON.stringify(here), patience_ms)
  // Any run of the team leads to it, and members are known as such: they are not teams of their own, and their conversations are hidden.
  const there = await teamOn(sofa, run_id)
  const ids = there?.members.map((member) => member.run_id) ?? []
  expect(there).toMatchObject({ root_run_id: run_id, budget: null })
  expect(await teamOn(sofa, ids[2] ?? '')).toEqual(there)
  const places = async (device: CloudDevice) => {
    return new Map((await device.call('agent_run_list', {})).items.map((one) => [one.run_id, one.team]))
  }
  expect(await places(sofa)).toEqual(await places(desk))
  const listed = async (device: CloudDevice) => (await device.call('conversation_list', {})).items.map((one) => one.conversation_id)
  expect(await listed(sofa)).toEqual([conversation_id])

  const [asked] = await questions()
  const question_id = asked?.question.question_id ?? ''
  await desk.call('agent_run_resume', {
    run_id: asked?.run_id ?? '',
    answer: { kind: 'question', question_id, answer: { chosen: [], text: 'No.' } },
  })
  await waitFor(async () => shown(await teamOn(sofa, run_id))?.every(({ state }) => state === 'completed') === true, patience_ms)
  expect(shown(await teamOn(sofa, run_id))).toEqual(shown(await teamOn(desk, run_id)))
  expect(await sofa.refused('team_cancel', { run_id })).toBe('run_elsewhere')
  await model.close()
})
