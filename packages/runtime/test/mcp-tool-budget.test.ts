// Many tools of MCP servers: above the budget they are found with `tool.search`, and loaded for the rest of the run.
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { startTestHttpServers, type TestHttpServers } from './support/mcp/test-http-server.ts'
import { largeServer } from './support/mcp/test-large-server.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { address, addServer, approve, callOutcomes, program } from './support/test-mcp-run.ts'

const script = fileURLToPath(new URL('./support/mcp/test-large-server.ts', import.meta.url))
const topics = 'git mail chat wiki crm shop bank files maps video music news cloud build logs tests docs forms polls jobs'.split(' ')

let agent: TestAgent
let remote: TestHttpServers | undefined
afterEach(async () => {
  await agent.stop()
  remote?.close()
  remote = undefined
})

/** The names of the tools in a request, as sent. */
const listed = (at: number) => (agent.model.requests[at]?.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name)
const ofServers = (at: number) => listed(at).filter((name) => name.startsWith('mcp__'))
const tokensOf = (at: number) => Math.ceil(JSON.stringify(agent.model.requests[at]?.tools ?? []).length / 4)
const heard = (at: number) => JSON.stringify(agent.model.requests[at]?.messages)
const set = (setting: string, value: number) => agent.call('runtime_set_settings', { sections: [{ section: 'mcp', setting, value }] })

/** 20 servers of both transports with 20 tools each. */
async function connectTwenty() {
  remote = await startTestHttpServers((topic) => largeServer(topic, 20))
  for (const [no, topic] of topics.entries())
    await addServer(agent, no < 2 ? program(topic, [script, topic, '20']) : address(topic, remote.urlOf(topic)))
}

test('20 servers with 400 tools: a run finds a tool, calls it after approval, and its requests stay small', async () => {
  agent = await startTestAgent([
    { text: 'All of them.' },
    { calls: [{ name: 'tool.search', arguments: { query: 'archive a record in the bank' } }] },
    { calls: [{ name: 'mcp.bank.archive_bank_record', arguments: { record_id: '7' } }] },
    { text: 'Done.' },
  ])
  await connectTwenty()
  const agent_id = await agent.agent()
  // A small context window would get shortened descriptions.
  await agent.call('runtime_set_settings', { model_context_window: 1_000_000 })
  await set('tool_tokens', 1_000_000)
  await agent.ask(agent_id, 'Hello')
  await set('tool_tokens', 10_000)
  const { run_id } = await agent.ask(agent_id, 'Archive it')
  expect((await approve(agent, run_id)).tool).toBe('mcp.bank.archive_bank_record')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded', 'succeeded'] })

  expect([ofServers(0).length, listed(0).includes('tool__search')]).toEqual([400, false])
  expect([ofServers(1), listed(1).includes('tool__search')]).toEqual([[], true])
  expect(heard(1)).toContain('These servers have 400 tools')
  expect(ofServers(2)[0]).toBe('mcp__bank__archive_bank_record')
  // Nothing before the loaded ones changes, and what was loaded stays.
  expect(listed(2).slice(0, listed(1).length)).toEqual(listed(1))
  expect(listed(3)).toEqual(listed(2))
  expect(heard(3)).toContain('archive_bank_record was done')
  const [before, after] = [tokensOf(0), tokensOf(3)]
  console.log(`tokens of the tools in a request with 400 tools of servers: ${before} before, ${tokensOf(1)} and ${after} after`)
  expect(before).toBeGreaterThan(70_000)
  expect(after - tokensOf(1)).toBeLessThan(5_000)
})

test('what was loaded is the same after a restart of the runtime, and a restore takes it back', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] },
    { calls: [{ name: 'tool.search', arguments: { query: 'merge comment' } }] },
    { calls: [{ name: 'ask_user', arguments: { question: 'Go on?' } }] },
    { text: 'Done.' },
    { text: 'Done again.' },
  ])
  await addServer(agent, program('git', [script, 'git', '40']))
  await set('tool_tokens', 100)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Go')
  const loaded = ofServers(2)
  expect(loaded[0]).toBe('mcp__git__merge_git_comment')
  await agent.restart()
  const { items } = await agent.call('question_list', { run_id })
  const question_id = items[0]?.question.question_id ?? ''
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'question', question_id, answer: { chosen: [], text: 'Yes' } } })
  await agent.runtime.settled(run_id)
  expect([callOutcomes(agent, run_id).state, ofServers(3)]).toEqual(['completed', loaded])

  const steps = agent.runtime.journal.steps(run_id).map(({ step }) => step)
  const point = steps.find((step) => step.kind === 'checkpoint.created')
  if (!point) throw new Error('there is no recovery point')
  const { checkpoint_id } = point
  await agent.call('agent_run_restore_checkpoint', { action: 'restore', run_id, checkpoint_id, on_conflict: 'stop' })
  await agent.call('resume_agent_run', { run_id })
  await agent.runtime.settled(run_id)
  const last = agent.model.requests.length - 1
  expect([last > 3, ofServers(last), listed(last).includes('tool__search')]).toEqual([true, [], true])
})

test('a tool that was not loaded can be called: it needs the same approval, and is listed from then on', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'mcp.git.get_git_label', arguments: {} }] },
    { calls: [{ name: 'mcp.git.get_git_label', arguments: { label_id: '1' } }] },
    { text: 'Done.' },
  ])
  await addServer(agent, program('git', [script, 'git', '40']))
  await set('tool_tokens', 100)
  const { run_id } = await agent.ask(await agent.agent(), 'Go')
  expect(ofServers(1)).toEqual(['mcp__git__get_git_label'])
  await approve(agent, run_id)
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['invalid_arguments', 'succeeded'] })
})

test('tools that the policy of the agent hides are not found', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'tool.search', arguments: { query: 'delete record' } }] },
    { calls: [{ name: 'tool.search', arguments: { query: 'zzz' } }] },
    { calls: [{ name: 'tool.search', arguments: { query: 'record', server: 'nowhere' } }] },
    { text: 'Done.' },
  ])
  await addServer(agent, program('git', [script, 'git', '40']))
  await set('tool_tokens', 100)
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'mcp.git.delete_git_record', { approval_mode: 'deny' })
  const { run_id } = await agent.ask(agent_id, 'Go')
  expect(callOutcomes(agent, run_id)).toEqual({ state: 'completed', calls: ['succeeded', 'succeeded', 'unknown_server'] })
  expect(ofServers(1)).not.toContain('mcp__git__delete_git_record')
  expect(heard(1)).not.toContain('delete_git_record')
  expect(heard(2)).toContain('git (39)')
  expect(heard(3)).toContain('Use one of these servers, or leave the server out: git.')
})
