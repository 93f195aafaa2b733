// A whole runtime is killed with -9 while it rolls a canary back, because a run with it failed or was restored. Started again, it does so once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { useBundledProgram } from './support/bundled-program.ts'
import type { Script } from './support/model/test-model.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { lifeOf } from './support/test-process-life.ts'

const program = useBundledProgram('learning/later-run-child.ts')
/** Before the transaction of the cycle ends, in which the canary is rolled back, and after it. */
const points = ['candidate_rolled_back', 'cycle_recording', 'cycle_recorded']
const timeout = 300_000
let agent: TestAgent
afterEach(() => agent.stop())

/** Writes the files of the request, one per turn; after "Stuck", it never ends. */
const script: Script = (_, { messages }) => {
  if (String(messages[0]?.content).startsWith('You read a conversation')) return { text: '{"items":[]}' }
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const request = String(messages[at]?.content)
  const files = /Write: (.*)/.exec(request)?.[1]?.split(' ; ') ?? []
  const path = files[messages.slice(at).filter(({ role }) => role === 'tool').length]
  if (path) return { calls: [{ name: 'fs.write', arguments: { path, content: 'new' } }] }
  return request.startsWith('Stuck') ? { calls: [{ name: 'fs.list', arguments: { path: '.' } }] } : { text: 'Done.' }
}

const inConversation = async (agent_id: string) =>
  (await agent.call('conversation_create', { agent_id, workspace: agent.workspace })).conversation.conversation_id

/** A person denies keys.env and approves the rest; then the run is learned from. */
async function ran(agent_id: string, text: string): Promise<void> {
  const conversation_id = await inConversation(agent_id)
  const { run_id } = (await agent.call('agent_run_start', { conversation_id, text })).run
  for (;;) {
    await agent.runtime.settled(run_id)
    const [waiting] = (await agent.call('approval_list', { run_id })).items
    if (!waiting) break
    const { approval_id, fingerprint, arguments: given } = waiting.approval
    const answer = given.includes('keys.env') ? ({ answer: 'no', reason: 'Never.' } as const) : ({ answer: 'once' } as const)
    await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, ...answer } })
  }
  await expect.poll(async () => (await agent.call('learning_of_run', { run_id })).reflection).not.toBeNull()
}

test.each([
  ['failed', 'Stuck.', 'later_failure', ['failed']],
  ['restored', 'Write: d.md', 'later_restore', ['completed', 'restored']],
] as const)('a canary is rolled back once by a run that is %s', { timeout }, async (trigger, text, because, evaluated) => {
  agent = await startTestAgent(script)
  const { agent_id } = (await agent.call('agent_create', { name: 'Writer', max_turns: 4 })).agent
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'required' })
  for (const name of ['a.md', 'b.md', 'c.md']) await ran(agent_id, `Write: keys.env ; ${name}`)
  const candidate = async () => (await agent.call('agent_run_list_policy_candidates', { agent_id })).items[0]
  await expect.poll(async () => (await candidate())?.state).toBe('canary_applied')
  const candidate_id = (await candidate())?.id ?? ''
  const conversation_id = await inConversation(agent_id)
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const file = join(agent.folder, 'points')
  let lives: Awaited<ReturnType<typeof lifeOf>>[] = []
  await agent.restart(undefined, async () => {
    const args = [join(agent.folder, 'home'), agent.workspace, agent.model.base_url, conversation_id, candidate_id, trigger, text]
    const plan = { kill: 'each_point_once', file, among: points } as const
    for (let life = 0; life <= points.length; life += 1) lives = [...lives, await lifeOf(program, args, plan)]
  })
  const ends = lives.map(({ signal, code, errors }) => signal ?? (code === 0 ? 0 : errors))
  expect(ends).toEqual([...points.map(() => 'SIGKILL'), 0])
  expect(readFileSync(file, 'utf8').trim().split('\n').toSorted()).toEqual(points.toSorted())
  expect(lives.at(-1)?.end).toEqual({ state: 'rolled_back', rolled_back: [[because, true]], events: 1, evaluated })
})
