// Skills in whole runs: what the model receives, what it loads by itself, and how their tool lists affect its calls.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { skillText } from './support/skill/test-skills.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { approve, callOutcomes } from './support/test-mcp-run.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const skillFolder = (name: string) => join(agent.folder, 'home', 'skills', name)

function write(name: string, more: string, body: string): void {
  mkdirSync(skillFolder(name), { recursive: true })
  writeFileSync(join(skillFolder(name), 'SKILL.md'), skillText(name, more, body))
}

const bind = (agent_id: string, skill_name: string, binding_policy: 'always' | 'on_demand' | 'summary_only' | 'full') =>
  agent.call('skill_bind', { agent_id, skill_name, binding_policy, reviewed_sha256: null })

/** The system prompt of the model. */
const prompt = (request: number) => String(agent.model.requests[request]?.messages[0]?.content)
const writing = (path: string) => ({ calls: [{ name: 'fs.write', arguments: { path, content: 'text' } }] })

test('the model receives what is bound, loads the rest by itself, and is limited to the tools that the skill names', async () => {
  agent = await startTestAgent([
    writing('before.txt'),
    { calls: [{ name: 'skill.load', arguments: { name: 'forms' } }] },
    { calls: [{ name: 'fs.read', arguments: { path: 'before.txt' } }] },
    writing('after.txt'),
    { text: 'Done.' },
  ])
  const agent_id = await agent.agent()
  for (const tool of ['fs.write', 'fs.read']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  write('manners', '', 'Always say please.')
  write('forms', 'allowed-tools: Read\n', 'Fill in every\nfield twice.')
  await bind(agent_id, 'manners', 'always')
  await bind(agent_id, 'forms', 'on_demand')

  const { run_id, state } = await agent.ask(agent_id, 'Fill in the form')
  expect([prompt(0).includes('Always say please.'), prompt(0).includes('Helps with forms.')]).toEqual([true, true])
  expect(prompt(0)).not.toContain('Fill in every')
  // As instructions of the user, with its line breaks.
  expect(agent.model.requests[2]?.messages.at(-1)?.content).toBe(
    'These are the instructions of the skill forms, which the user assigned to you. Follow them as instructions of the user where they fit the task. They never allow you to do more than you may do otherwise.\n\nFill in every\nfield twice.',
  )
  // A call that is allowed automatically needs approval once a skill that does not name it is in use.
  expect([state, callOutcomes(agent, run_id).calls]).toEqual(['paused', ['succeeded', 'succeeded', 'succeeded']])
  expect([existsSync(join(agent.workspace, 'before.txt')), existsSync(join(agent.workspace, 'after.txt'))]).toEqual([true, false])
  const asked = await approve(agent, run_id)
  const configured = { name: 'configured policy', kind: 'configured', changes: [] }
  const narrowed = { name: 'skills', kind: 'intersection', changes: ['approval_mode'] }
  expect([asked.tool, asked.policy_layers]).toEqual(['fs.write', { in_force: [configured, narrowed], ignored: [] }])
  expect([callOutcomes(agent, run_id).state, existsSync(join(agent.workspace, 'after.txt'))]).toEqual(['completed', true])

  // Each call of the model has its effective layers in the local record, and not in what other devices get.
  const called = agent.runtime.journal.steps(run_id).filter(({ step }) => step.kind === 'model.called')
  const [before, after] = [['configured policy'], ['configured policy', 'skills']]
  expect(called.map(({ here }) => here.policy_layers?.in_force)).toEqual([before, before, after, after, after])
  expect(called.some(({ step }) => 'policy_layers' in step)).toBe(false)
  const rows = (await agent.call('agent_tool_policy_list', { agent_id, run_id, limit: 200 })).items
  const changed = (tool: string) => rows.find((row) => row.tool === tool)?.layers.in_force.map(({ name }) => name)
  expect([changed('fs.write'), changed('fs.read')]).toEqual([after, before])

  const { given } = await agent.call('agent_run_get_skills', { run_id })
  expect(
    given?.skills.map(({ skill_name, binding_policy, level, allowed_tools }) => [skill_name, binding_policy, level, allowed_tools]),
  ).toEqual(
    expect.arrayContaining([
      ['forms', 'on_demand', 'summary', ['Read']],
      ['manners', 'always', 'body', []],
    ]),
  )
  const costs = given?.skills.map(({ tokens }) => tokens) ?? []
  expect([costs.length, costs.every((tokens) => tokens > 0), given?.left_out]).toEqual([2, true, []])
  expect(given?.tokens).toBeGreaterThanOrEqual(costs.reduce((sum, tokens) => sum + tokens, 0))
})

test('the tool list of a skill that is always included applies from the first call', async () => {
  agent = await startTestAgent([writing('made.txt'), { text: 'Done.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  write('reader', 'allowed-tools: Read\n', 'Only read.')
  await bind(agent_id, 'reader', 'always')
  const { state } = await agent.ask(agent_id, 'Write')
  expect([state, existsSync(join(agent.workspace, 'made.txt'))]).toEqual(['paused', false])
})

test('a bound skill that is not on this device is reported to its user and in the record of the run, and cannot be loaded', async () => {
  agent = await startTestAgent([{ calls: [{ name: 'skill.load', arguments: { name: 'forms' } }] }, { text: 'Done.' }])
  const agent_id = await agent.agent()
  write('forms', '', 'Fill in every field twice.')
  await bind(agent_id, 'forms', 'always')
  rmSync(skillFolder('forms'), { recursive: true })
  const { items } = await agent.call('skill_binding_list', { agent_id })
  expect(items.map(({ binding, skill, barrier }) => [binding.skill_name, skill, barrier])).toEqual([['forms', null, 'missing']])
  expect(items[0]?.problems.map(({ reason }) => reason)).toEqual(['missing_path'])

  const { run_id, state, results } = await agent.ask(agent_id, 'Fill in the form')
  expect([state, results.map(({ outcome }) => outcome)]).toEqual(['completed', ['failed']])
  expect(prompt(0)).not.toContain('Fill in every field twice.')
  const { given } = await agent.call('agent_run_get_skills', { run_id })
  expect([given?.skills, given?.left_out.map(({ skill_name, reason }) => [skill_name, reason])]).toEqual([[], [['forms', 'missing']]])
})

test('a run without skills reports none; a run that does not exist is refused', async () => {
  agent = await startTestAgent([{ text: 'Hello.' }])
  const { run_id } = await agent.ask(await agent.agent(), 'Hello')
  expect(await agent.call('agent_run_get_skills', { run_id })).toEqual({ given: null })
  const unknown = '00000000-0000-7000-8000-000000000000'
  expect(await agent.runtime.commands.call('agent_run_get_skills', { run_id: unknown })).toMatchObject({
    ok: false,
    error: { code: 'not_found' },
  })
})

const systemMessages = (run_id: string) => {
  const run = agent.runtime.journal.run(run_id)
  return agent.runtime.journal.messages
    .of(run?.conversation ?? 0, { limit: -1 })
    .flatMap(({ role, text }) => (role === 'system' ? [text] : []))
}

test('files that do not fit into the prompt are reported, once, and can still be read', async () => {
  agent = await startTestAgent([
    { calls: [{ name: 'time.now', arguments: {} }] },
    { calls: [{ name: 'skill.load', arguments: { name: 'forms', file: 'long.md' } }] },
    { text: 'Done.' },
  ])
  const agent_id = await agent.agent()
  write('forms', '', 'Fill in every field twice.')
  writeFileSync(join(skillFolder('forms'), 'long.md'), 'A long text. '.repeat(15_000))
  await bind(agent_id, 'forms', 'full')
  const { run_id, results } = await agent.ask(agent_id, 'Fill in the form')
  expect(results.map(({ outcome }) => outcome)).toEqual(['succeeded', 'succeeded'])
  expect([prompt(0).includes('Fill in every field twice.'), prompt(0).includes('- long.md'), prompt(0).includes('A long text.')]).toEqual([
    true,
    true,
    false,
  ])
  expect(systemMessages(run_id)).toEqual([expect.stringContaining('the prompt does not contain the files of forms.')])
  const { given } = await agent.call('agent_run_get_skills', { run_id })
  expect(given?.left_out.map(({ skill_name, level, reason }) => [skill_name, level, reason])).toEqual([['forms', 'full', 'over_budget']])
})

test('a user starts a skill by its name, whatever its policy is', async () => {
  agent = await startTestAgent(() => ({ text: 'Done.' }))
  const agent_id = await agent.agent()
  write('forms', '', 'Fill in every field twice.')
  write('letters', '', 'Write letters.')
  await bind(agent_id, 'forms', 'summary_only')
  const first = await agent.ask(agent_id, '/forms Fill in this one')
  expect(prompt(0)).toContain('Helps with forms.\n(The user started it with /forms: follow it now.)\n\nFill in every field twice.')
  expect(agent.model.requests[0]?.messages.at(-1)?.content).toBe('/forms Fill in this one')
  const { given } = await agent.call('agent_run_get_skills', { run_id: first.run_id })
  expect(given?.skills.map(({ skill_name, level }) => [skill_name, level])).toEqual([['forms', 'body']])
  // Only at the beginning of the message of the run, and only a name of a skill.
  for (const text of ['Use /forms', '/etc/hosts is wrong', '/nothing here']) await agent.ask(agent_id, text)
  for (const request of [1, 2, 3]) expect(prompt(request)).not.toContain('Fill in every field twice.')

  const start = async (text: string) => {
    const { conversation } = await agent.call('conversation_create', { agent_id, workspace: agent.workspace })
    return await agent.runtime.commands.call('agent_run_start', { conversation_id: conversation.conversation_id, text })
  }
  expect(await start('/letters Write')).toMatchObject({
    ok: false,
    error: {
      code: 'invalid_params',
      message: expect.stringContaining('the skill letters is not assigned to this agent. Assign it first.'),
    },
  })
  write('forms', '', 'Something else.')
  expect(await start('/forms Fill in')).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining('the skill forms cannot be used: It has changed since it was assigned: SKILL.md.') },
  })
  expect(agent.model.requests).toHaveLength(4)
})
