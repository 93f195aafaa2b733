// Workflows in a whole runtime: every kind of node, approvals, failures, compensation, cancel, skip, retry and restore.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { afterEach, expect, test, vi } from 'vitest'
import { testClock } from './support/clock/test-clock.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { answerAll, endOf, snapshotOf, startAgain, startWorkflow } from './support/workflow/test-workflow-run.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const read = (name: string) => (existsSync(join(agent.workspace, name)) ? readFileSync(join(agent.workspace, name), 'utf8') : null)
const write = (id: string, path: string, content: string, more: Partial<WorkflowNode> = {}) =>
  ({ id, kind: 'tool', tool: 'fs.write', arguments: JSON.stringify({ path, content }), ...more }) as WorkflowNode
const definition = (nodes: readonly WorkflowNode[], edges: WorkflowDefinition['edges'], more: Partial<WorkflowDefinition> = {}) => ({
  inputs: [],
  nodes: [...nodes],
  edges,
  ...more,
})

async function withAgent(script: Parameters<typeof startTestAgent>[0] = [{ text: 'The agent says hello.' }]) {
  agent = await startTestAgent(script)
}

/** A turn of a model that never ends. */
const never = new Promise<void>(() => undefined)

test('a chain of calls whose arguments come from inputs and earlier outputs', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        write('first', '{{inputs.name}}.txt', 'Hello {{inputs.name}}'),
        { id: 'look', kind: 'tool', tool: 'fs.read', arguments: '{"path":"{{inputs.name}}.txt"}' },
        { id: 'count', kind: 'transform', input: '{"text":"{{nodes.look.output.content}}"}', expression: '{"length": $length(text)}' },
        { id: 'long', kind: 'condition', condition: { left: '{{nodes.count.output.length}}', comparison: 'greater', right: '100' } },
        write('if_long', 'long.txt', 'x'),
        write('if_short', 'short.txt', 'length {{nodes.count.output.length}}'),
      ],
      [
        { from: 'first', to: 'look' },
        { from: 'look', to: 'count' },
        { from: 'count', to: 'long' },
        { from: 'long', to: 'if_long', when: 'true' },
        { from: 'long', to: 'if_short', when: 'false' },
      ],
      {
        inputs: [{ name: 'name', type: 'text', required: true }],
        outputs: [{ name: 'length', type: 'number', value: '{{nodes.count.output.length}}' }],
      },
    ),
    { inputs: { name: 'ada' } },
  )
  // What is filled in from outputs needs an approval.
  expect(await endOf(agent, run)).toMatchObject({ state: 'paused', reason: 'fs.write needs an approval' })
  const end = await answerAll(agent, run)
  expect([end.state, end.reason, end.result]).toEqual(['completed', null, '{"length":9}'])
  expect([read('ada.txt'), read('short.txt'), read('long.txt')]).toEqual(['Hello ada', 'length 9', null])
  expect(end.nodes.map(({ node_id, state }) => `${node_id} ${state}`).toSorted()).toEqual([
    'count completed',
    'first completed',
    'if_long skipped',
    'if_short completed',
    'long completed',
    'look completed',
  ])
  expect(agent.runtime.journal.run(end.run_id ?? '')?.state).toBe('completed')
})

test('parallel branches: one waits for a person while the others go on, and a join waits for all', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'ask', kind: 'question', question: 'Which color?', choices: ['red', 'blue'] },
        { id: 'sure', kind: 'approval', message: 'Go on?' },
        write('other', 'other.txt', 'went on'),
        write('after_other', 'after.txt', 'went on too'),
        write('joined', 'joined.txt', 'joined'),
        write('denied', 'denied.txt', 'x'),
      ],
      [
        { from: 'other', to: 'after_other' },
        { from: 'ask', to: 'joined' },
        { from: 'sure', to: 'joined', when: 'approved' },
        { from: 'sure', to: 'denied', when: 'denied' },
        { from: 'after_other', to: 'joined' },
      ],
      { output: '{{nodes.ask.output}}' },
    ),
  )
  const waiting = await endOf(agent, run)
  expect([waiting.state, read('after.txt'), read('joined.txt')]).toEqual(['paused', 'went on too', null])
  expect(waiting.counts).toMatchObject({ waiting: 2, completed: 2 })
  const { items } = await agent.call('question_list', { run_id: waiting.run_id ?? '' })
  expect(items.map(({ question }) => question.question)).toEqual(['Which color?', 'Go on?'])
  const answers = { 'Which color?': 'red', 'Go on?': 'approve' } as Record<string, string>
  for (const { question_id, question } of items.map((item) => item.question)) {
    const answer = { chosen: [answers[question] ?? ''], text: null }
    await agent.call('agent_run_resume', { run_id: waiting.run_id ?? '', answer: { kind: 'question', question_id, answer } })
  }
  await expect.poll(async () => (await endOf(agent, run)).state).toBe('completed')
  const end = await endOf(agent, run)
  expect([end.state, end.result, read('joined.txt'), read('denied.txt')]).toEqual(['completed', '"red"', 'joined', null])
})

test('a loop over a list with two rounds at a time, and a loop until a condition is met', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'each', kind: 'for_each', items: '["a","b","c"]', concurrency: 2, result: '{{nodes.twice.output}}' },
        {
          id: 'twice',
          kind: 'transform',
          within: 'each',
          input: '{"item":"{{loops.each.item}}","at":"{{loops.each.index}}"}',
          expression: 'item & item & $string(at)',
        },
        {
          id: 'again',
          kind: 'repeat',
          until: { expression: 'nodes.round.output >= 3' },
          most_rounds: 10,
          result: '{{nodes.round.output}}',
        },
        { id: 'round', kind: 'transform', within: 'again', input: '"{{loops.again.index}}"', expression: '$ + 1' },
      ],
      [{ from: 'each', to: 'again' }],
      {
        outputs: [
          { name: 'all', type: 'json', value: '{{nodes.each.output}}' },
          { name: 'rounds', type: 'number', value: '{{nodes.again.output}}' },
        ],
      },
    ),
  )
  const end = await endOf(agent, run)
  expect([end.state, end.reason, end.result]).toEqual(['completed', null, '{"all":["aa0","bb1","cc2"],"rounds":3}'])
})

test('a failure stops the workflow and takes back what was done, the last one first; a retry goes on from there', async () => {
  await withAgent()
  const compensated = (id: string, path: string) =>
    write(id, path, id, { compensation: { tool: 'fs.delete', arguments: JSON.stringify({ path }) } } as Partial<WorkflowNode>)
  const run = await startWorkflow(
    agent,
    definition(
      [
        compensated('one', 'one.txt'),
        compensated('two', 'two.txt'),
        { id: 'need', kind: 'tool', tool: 'fs.read', arguments: '{"path":"missing.txt"}' },
      ],
      [
        { from: 'one', to: 'two' },
        { from: 'two', to: 'need' },
      ],
    ),
  )
  const failed = await answerAll(agent, run)
  expect(failed).toMatchObject({ state: 'failed', counts: { failed: 1, compensated: 2 } })
  expect([read('one.txt'), read('two.txt')]).toEqual([null, null])
  expect(agent.runtime.journal.run(failed.run_id ?? '')).toMatchObject({
    state: 'failed',
    failure_contract: { reason_code: 'node_failed', stage: 'workflow' },
  })
  const deleted = agent.runtime.journal
    .steps(failed.run_id ?? '')
    .flatMap(({ step }) => (step.kind === 'tool.call' && step.tool === 'fs.delete' ? [step.arguments] : []))
  expect(deleted).toEqual(['{"path":"two.txt"}', '{"path":"one.txt"}'])

  writeFileSync(join(agent.workspace, 'missing.txt'), 'here now')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'retry' })
  const end = await answerAll(agent, run)
  expect([end.state, read('one.txt'), read('two.txt')]).toEqual(['completed', 'one', 'two'])
  expect(end.run_id).not.toBe(failed.run_id)
})

test('a node is tried again as often as it says, and its failure can be an edge', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'flaky', kind: 'tool', tool: 'fs.read', arguments: '{"path":"nothing.txt"}', retry: { attempts: 3, backoff_seconds: 0 } },
        write('instead', 'instead.txt', '{{nodes.flaky.error}}'),
      ],
      [{ from: 'flaky', to: 'instead', when: 'failed' }],
    ),
  )
  const end = await answerAll(agent, run)
  expect([end.state, end.nodes.find(({ node_id }) => node_id === 'flaky')?.attempt]).toEqual(['completed', 3])
  expect(read('instead.txt')).toContain('nothing.txt')
})

test('an agent works on a node, and another workflow on another', async () => {
  await withAgent()
  const { workflow } = await agent.call('workflow_save', {
    name: 'Inner',
    definition: definition([{ id: 'up', kind: 'transform', input: '"{{inputs.text}}"', expression: '$uppercase($)' }], [], {
      inputs: [{ name: 'text', type: 'text', required: true }],
      outputs: [{ name: 'text', type: 'text', value: '{{nodes.up.output}}' }],
    }),
  })
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'say', kind: 'agent', prompt: 'Say hello.' },
        { id: 'inner', kind: 'workflow', workflow_id: workflow.workflow_id, inputs: '{"text":"{{nodes.say.output}}"}' },
      ],
      [{ from: 'say', to: 'inner' }],
      { output: '{{nodes.inner.output.text}}' },
    ),
  )
  await expect.poll(async () => (await endOf(agent, run)).state).toBe('completed')
  const end = await endOf(agent, run)
  expect(end.result).toBe('"THE AGENT SAYS HELLO."')
  const { items } = await agent.call('conversation_list', {})
  expect(items).toEqual([])
})

test('cancel in the middle: what waits is withdrawn, what was done is taken back', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        write('one', 'one.txt', 'x', { compensation: { tool: 'fs.delete', arguments: '{"path":"one.txt"}' } } as Partial<WorkflowNode>),
        { id: 'ask', kind: 'question', question: 'Go on?' },
      ],
      [{ from: 'one', to: 'ask' }],
    ),
  )
  expect((await endOf(agent, run)).state).toBe('paused')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'cancel', reason: 'no longer needed' })
  const end = await answerAll(agent, run)
  expect(end).toMatchObject({ state: 'canceled', reason: 'no longer needed', counts: { compensated: 1, failed: 1 } })
  expect([read('one.txt'), (await agent.call('question_list', {})).items]).toEqual([null, []])
  expect(agent.runtime.journal.run(end.run_id ?? '')?.state).toBe('canceled')
})

test('a person skips a node that waits; the question is withdrawn', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition([{ id: 'ask', kind: 'question', question: 'Go on?' }, write('then', 'then.txt', 'x')], [{ from: 'ask', to: 'then' }]),
  )
  await endOf(agent, run)
  await agent.call('workflow_control', { workflow_run_id: run, action: 'skip', node_id: 'ask', reason: 'not needed' })
  const end = await endOf(agent, run)
  expect([end.state, read('then.txt'), (await agent.call('question_list', {})).items]).toEqual(['completed', 'x', []])
})

test('pause and resume; a workflow that waits survives a restart', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition([{ id: 'ask', kind: 'question', question: 'Go on?' }, write('then', 'then.txt', 'x')], [{ from: 'ask', to: 'then' }]),
  )
  await endOf(agent, run)
  await agent.call('workflow_control', { workflow_run_id: run, action: 'pause' })
  await agent.restart()
  expect((await endOf(agent, run)).state).toBe('paused')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'resume' })
  const end = await answerAll(agent, run, { question: 'yes' })
  expect([end.state, read('then.txt')]).toEqual(['completed', 'x'])
})

test('the same key starts nothing again; wrong inputs and versions nobody approved are refused', async () => {
  await withAgent()
  const inputs = [{ name: 'name', type: 'text', required: true }] as const
  const greet = definition([write('one', '{{inputs.name}}.txt', 'x')], [], { inputs: [...inputs] })
  const run = await startWorkflow(agent, greet, { inputs: { name: 'a' }, key: 'once' })
  const { workflow_id } = await endOf(agent, run)
  expect(await startAgain(agent, workflow_id, { inputs: { name: 'b' }, key: 'once' })).toBe(run)
  const { workflow: another } = await agent.call('workflow_save', { name: 'Another', definition: greet })
  await expect(startAgain(agent, another.workflow_id, { inputs: { name: 'b' }, key: 'once' })).rejects.toThrow('use another key')
  await expect(startAgain(agent, workflow_id, { inputs: {} })).rejects.toThrow('`inputs.name` is required')
  await expect(startAgain(agent, workflow_id, { inputs: { name: 1 } })).rejects.toThrow('`inputs.name` must be a text')
  await expect(startAgain(agent, workflow_id, { inputs: { name: 'a', other: 1 } })).rejects.toThrow('the inputs are name')
  const { workflow } = await agent.call('workflow_get', { workflow_id })
  await agent.call('workflow_approve', { workflow_id, sha256: workflow.sha256, is_approved: false })
  await expect(startAgain(agent, workflow_id, { inputs: { name: 'a' } })).rejects.toThrow('consent_needed')
})

test('restoring a recovery point of the run resets what it undid; the workflow goes on from there', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition([write('one', 'one.txt', 'one'), write('two', 'two.txt', 'two')], [{ from: 'one', to: 'two' }]),
  )
  const first = await endOf(agent, run)
  expect(first.state).toBe('completed')
  const { items } = await agent.call('agent_run_list_checkpoints', { run_id: first.run_id ?? '' })
  const point = items.at(-1)
  await agent.call('agent_run_restore_checkpoint', {
    action: 'restore',
    run_id: first.run_id ?? '',
    checkpoint_id: point?.checkpoint_id ?? '',
    on_conflict: 'stop',
  })
  expect([read('one.txt'), read('two.txt')]).toEqual([null, null])
  await expect.poll(async () => (await endOf(agent, run)).counts.pending).toBe(2)
  expect(await endOf(agent, run)).toMatchObject({ state: 'paused', reason: 'a recovery point was restored' })
  await agent.call('workflow_control', { workflow_run_id: run, action: 'resume' })
  const end = await answerAll(agent, run)
  expect([end.state, read('one.txt'), read('two.txt')]).toEqual(['completed', 'one', 'two'])
})

test('an agent that works on a node may do no more than the owner of the workflow', async () => {
  agent = await startTestAgent((_index, { messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'fs.write', arguments: { path: 'a.txt', content: 'a' } }] },
  )
  const owner = await agent.agent()
  const { agent: worker } = await agent.call('agent_create', { name: 'Worker' })
  await agent.policy(worker.agent_id, 'fs.write', { approval_mode: 'auto' })
  await agent.policy(owner, 'fs.write', { approval_mode: 'deny' })
  const node = { id: 'work', kind: 'agent', agent_id: worker.agent_id, prompt: 'Write it.' } as const
  const { workflow } = await agent.call('workflow_save', { name: 'Test', definition: definition([node], []) })
  const { run } = await agent.call('workflow_start', { workflow_id: workflow.workflow_id, agent_id: owner, workspace: agent.workspace })
  await expect.poll(async () => (await endOf(agent, run.workflow_run_id)).state).toBe('completed')
  expect(read('a.txt')).toBeNull()
})

test('a workflow that an agent starts while it works on a node may do no more than the owner either, and ends with it', async () => {
  agent = await startTestAgent((_index, { messages }) => {
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    const workflow_run_id = /id: (\S+)/.exec(results.join('\n'))?.[1] ?? ''
    const calls = [
      { name: 'workflow.start', arguments: { workflow: 'Inner' } },
      { name: 'workflow.wait', arguments: { workflow_run_id } },
    ]
    const next = calls[results.length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  const owner = await agent.agent()
  const { agent: worker } = await agent.call('agent_create', { name: 'Worker' })
  const { agent_id } = worker
  for (const one of [owner, agent_id]) await agent.policy(one, 'workflow.start', { approval_mode: 'auto' })
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  await agent.policy(owner, 'fs.write', { approval_mode: 'deny' })
  const inner = definition(
    [write('write', 'a.txt', 'a', { on_failure: 'continue' } as Partial<WorkflowNode>), { id: 'ask', kind: 'question', question: 'Well?' }],
    [],
  )
  await agent.call('workflow_save', { name: 'Inner', definition: inner, covers_calls: true })
  const node = { id: 'work', kind: 'agent', agent_id, prompt: 'Start it.' } as const
  const run = await startWorkflow(agent, definition([node], []), { agent_id: owner })
  const states = async () => (await agent.call('workflow_run_list', {})).items.map(({ name, state }) => `${name} ${state}`)
  await expect.poll(states).toEqual(['Inner paused', 'Test paused'])
  const [started] = (await agent.call('workflow_run_list', {})).items
  expect([(await endOf(agent, started?.workflow_run_id ?? '')).counts.failed, read('a.txt')]).toEqual([1, null])
  await agent.call('workflow_control', { workflow_run_id: run, action: 'cancel' })
  await expect.poll(states).toEqual(['Inner canceled', 'Test canceled'])
})

test('what a node was given is shown with its placeholders filled in', async () => {
  await withAgent()
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'each', kind: 'for_each', items: '{{inputs.names}}', concurrency: 1 },
        { id: 'up', kind: 'transform', within: 'each', input: '{"name":"{{loops.each.item}}"}', expression: '$uppercase(name)' },
        { ...write('note', '{{loops.each.item}}.txt', 'I am {{nodes.up.output}}'), within: 'each' },
      ],
      [{ from: 'up', to: 'note' }],
      { inputs: [{ name: 'names', type: 'json', required: true }] },
    ),
    { agent_id, inputs: { names: ['ada', 'bob'] } },
  )
  expect((await endOf(agent, run)).state).toBe('completed')
  const input = async (node_id: string, iteration: number[] = []) =>
    JSON.parse((await agent.call('workflow_query', { workflow_run_id: run, node_id, iteration })).input ?? 'null')
  expect(await input('each')).toEqual({ items: ['ada', 'bob'] })
  expect(await input('up', [1])).toEqual({ input: { name: 'bob' }, expression: '$uppercase(name)' })
  expect(await input('note', [1])).toMatchObject({ path: 'bob.txt', content: 'I am BOB' })
})

test('a command waits until a workflow run has ended, and not longer than it is told', async () => {
  await withAgent()
  const run = await startWorkflow(agent, definition([{ id: 'ask', kind: 'question', question: 'Well?' }], []))
  const waited = async (timeout_seconds: number) => (await agent.call('workflow_wait', { workflow_run_id: run, timeout_seconds })).run.state
  await endOf(agent, run)
  expect(await waited(1)).toBe('paused')
  const [one, other] = [waited(60), waited(60)]
  await answerAll(agent, run)
  expect([await one, await other, await waited(60)]).toEqual(['completed', 'completed', 'completed'])
  const unknown = await agent.runtime.commands.call('workflow_wait', { workflow_run_id: '00000000-0000-7000-8000-000000000000' })
  expect(unknown).toMatchObject({ ok: false, error: { code: 'not_found' } })
})

test('canceling a workflow also cancels what its agents started and did not wait for', async () => {
  agent = await startTestAgent((index) =>
    index === 0 ? { calls: [{ name: 'workflow.start', arguments: { workflow: 'Inner' } }] } : { text: 'Started.' },
  )
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'workflow.start', { approval_mode: 'auto' })
  const asks = { id: 'ask', kind: 'question', question: 'Well?' } as const
  await agent.call('workflow_save', { name: 'Inner', definition: definition([asks], []) })
  const outer = definition([{ id: 'work', kind: 'agent', prompt: 'Start it.' }, asks], [{ from: 'work', to: 'ask' }])
  const run = await startWorkflow(agent, outer, { agent_id })
  const states = async () => (await agent.call('workflow_run_list', {})).items.map(({ name, state }) => `${name} ${state}`)
  await expect.poll(states).toEqual(['Inner paused', 'Test paused'])
  await expect.poll(async () => (await agent.call('question_list', {})).items.length).toBe(2)
  await agent.call('workflow_control', { workflow_run_id: run, action: 'cancel' })
  await expect.poll(states).toEqual(['Inner canceled', 'Test canceled'])
  expect((await agent.call('question_list', {})).items).toEqual([])
})

test('a workflow that a run in the strict mode starts is strict as well', async () => {
  agent = await startTestAgent((_index, { messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'workflow.start', arguments: { workflow: 'Inner' } }] },
  )
  const owner = await agent.agent()
  for (const tool of ['workflow.start', 'shell.exec']) await agent.policy(owner, tool, { approval_mode: 'auto' })
  const node = { id: 'say', kind: 'tool', tool: 'shell.exec', arguments: '{"command":"echo hello > a.txt"}' } as const
  await agent.call('workflow_save', { name: 'Inner', definition: definition([node], []), covers_calls: true })
  await agent.ask(owner, 'Start it', 'strict')
  await expect.poll(async () => (await agent.call('workflow_run_list', {})).items[0]?.state).toBe('failed')
  expect(read('a.txt')).toBeNull()
})

test('a loop that is faster than the rate limit of its tool waits instead of failing', async () => {
  const clock = testClock()
  agent = await startTestAgent([], { clock })
  const owner = await agent.agent()
  await agent.policy(owner, 'time.now', { rate_limit: { calls: 5, per_seconds: 60 } })
  const items = JSON.stringify(Array.from({ length: 12 }, (_, index) => index))
  const nodes: WorkflowNode[] = [
    { id: 'each', kind: 'for_each', items, concurrency: 4 },
    { id: 'now', kind: 'tool', tool: 'time.now', arguments: '{}', within: 'each' },
  ]
  const { workflow } = await agent.call('workflow_save', { name: 'Test', definition: definition(nodes, []) })
  const { run } = await agent.call('workflow_start', { workflow_id: workflow.workflow_id, agent_id: owner, workspace: agent.workspace })
  const state = async () => {
    clock.advance(61_000)
    return (await agent.call('workflow_snapshot', { workflow_run_id: run.workflow_run_id })).run.state
  }
  await expect.poll(state).toBe('completed')
})

test('an agent that works on a node when Tandem is closed goes on with the next start', async () => {
  await withAgent((index) => (index === 0 ? { text: 'I am', hold: never } : { text: 'I am back.' }))
  const run = await startWorkflow(
    agent,
    definition([{ id: 'say', kind: 'agent', prompt: 'Say hello.' }], [], { output: '{{nodes.say.output}}' }),
  )
  await expect.poll(() => agent.model.requests.length).toBe(1)
  await agent.restart()
  await expect.poll(async () => (await endOf(agent, run)).result).toBe('"I am back."')
})

test('the agent of a node that a person skips is stopped', async () => {
  await withAgent([{ text: 'I am', hold: never }])
  const run = await startWorkflow(
    agent,
    definition([{ id: 'say', kind: 'agent', prompt: 'Say hello.' }, write('then', 'then.txt', 'x')], [{ from: 'say', to: 'then' }]),
  )
  await expect.poll(() => agent.model.requests.length).toBe(1)
  await agent.call('workflow_control', { workflow_run_id: run, action: 'skip', node_id: 'say', reason: 'takes too long' })
  await expect.poll(async () => (await endOf(agent, run)).state).toBe('completed')
  const { items } = await agent.call('agent_run_list', {})
  expect([items.map(({ state }) => state).toSorted(), read('then.txt')]).toEqual([['canceled', 'completed'], 'x'])
})

test('a loop that fails stops the agents of its other rounds', async () => {
  await withAgent([{ text: 'I am', hold: never }])
  const first = { left: '{{loops.each.index}}', comparison: 'equals', right: '0' } as const
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'each', kind: 'for_each', items: '[0,1]', concurrency: 2 },
        { id: 'first', kind: 'condition', within: 'each', condition: first },
        { id: 'say', kind: 'agent', within: 'each', prompt: 'Say hello.' },
        { id: 'ask', kind: 'question', within: 'each', question: 'Which file?' },
        { id: 'need', kind: 'tool', within: 'each', tool: 'fs.read', arguments: '{"path":"missing.txt"}' },
        write('instead', 'instead.txt', 'x'),
      ],
      [
        { from: 'first', to: 'say', when: 'true' },
        { from: 'first', to: 'ask', when: 'false' },
        { from: 'ask', to: 'need' },
        { from: 'each', to: 'instead', when: 'failed' },
      ],
    ),
  )
  await expect.poll(() => agent.model.requests.length).toBe(1)
  await answerAll(agent, run, { question: 'missing.txt' })
  await expect.poll(async () => (await endOf(agent, run)).state).toBe('completed')
  const { items } = await agent.call('agent_run_list', {})
  expect([items.map(({ state }) => state).toSorted(), read('instead.txt')]).toEqual([['canceled', 'completed'], 'x'])
})

test('an error, such as a full disk, interrupts the workflow after the calls that are being made, and loses nothing', async () => {
  await withAgent()
  const { workflowEvents } = agent.runtime.journal
  const { append } = workflowEvents
  let isFull = true
  vi.spyOn(workflowEvents, 'append').mockImplementation((event) => {
    if (isFull && event.kind === 'node.completed' && event.node_id === 'fast') throw new Error('the disk is full')
    append(event)
  })
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'slow', kind: 'tool', tool: 'shell.exec', arguments: '{"command":"sleep 1; echo once >> slow.txt"}' },
        { id: 'fast', kind: 'condition', condition: { left: 'a', comparison: 'matches', right: 'a' } },
      ],
      [],
    ),
  )
  expect(await endOf(agent, run)).toMatchObject({ state: 'paused', reason: 'an internal error interrupted it', counts: { completed: 1 } })
  expect(read('slow.txt')).toBe('once\n')
  isFull = false
  await agent.call('workflow_control', { workflow_run_id: run, action: 'resume' })
  expect(await answerAll(agent, run)).toMatchObject({ state: 'completed', counts: { completed: 2 } })
  expect(read('slow.txt')).toBe('once\n')
})

test('after a retry, an agent that failed works on its node again', async () => {
  await withAgent([{ status: 400, body: '{"error":{"message":"no"}}' }, { text: 'This time it works.' }])
  const run = await startWorkflow(
    agent,
    definition([{ id: 'say', kind: 'agent', prompt: 'Say hello.' }], [], { output: '{{nodes.say.output}}' }),
  )
  await expect.poll(async () => (await endOf(agent, run)).state).toBe('failed')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'retry' })
  await expect.poll(async () => (await endOf(agent, run)).result).toBe('"This time it works."')
})

test('the run says why its workflow failed: the node that stopped it, or the output that is wrong', async () => {
  await withAgent()
  const missing = (id: string, more: object = {}) =>
    ({ id, kind: 'tool', tool: 'fs.read', arguments: `{"path":"${id}.txt"}`, ...more }) as WorkflowNode
  const failed = async (run: string) => {
    const { run_id, reason } = await endOf(agent, run)
    const { details } = agent.runtime.journal.run(run_id ?? '')?.failure_contract ?? {}
    expect(details?.message).toBe(reason)
    return reason
  }
  const tolerated = definition(
    [missing('first', { on_failure: 'continue' }), missing('last')],
    [{ from: 'first', to: 'last', when: 'failed' }],
  )
  expect(await failed(await startWorkflow(agent, tolerated))).toBe('last failed: "last.txt" does not exist.')
  const output = { name: 'count', type: 'number' as const, value: '{{nodes.one.output}}' }
  const wrong = definition([{ id: 'one', kind: 'transform', input: '1', expression: '"one"' }], [], { outputs: [output] })
  expect(await failed(await startWorkflow(agent, wrong))).toBe('the output count must be a number')
})

test('a retry runs what was skipped because of the failure, and nothing that nobody approves any more', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'each', kind: 'for_each', items: '["a.txt"]', concurrency: 1 },
        { id: 'look', kind: 'tool', within: 'each', tool: 'fs.read', arguments: '{"path":"{{loops.each.item}}"}' },
        write('then', 'then.txt', 'x', { within: 'each' } as Partial<WorkflowNode>),
      ],
      [{ from: 'look', to: 'then' }],
    ),
  )
  const { state, workflow_id, definition_sha256: sha256 } = await endOf(agent, run)
  expect(state).toBe('failed')
  writeFileSync(join(agent.workspace, 'a.txt'), 'a')
  const retry = () => agent.call('workflow_control', { workflow_run_id: run, action: 'retry' })
  await agent.call('workflow_approve', { workflow_id, sha256, is_approved: false })
  await expect(retry()).rejects.toThrow('consent_needed')
  await agent.call('workflow_approve', { workflow_id, sha256, is_approved: true, covers_calls: true })
  await retry()
  expect([(await answerAll(agent, run)).state, read('then.txt')]).toEqual(['completed', 'x'])
})

test('an agent that works longer on its node than it may is stopped', async () => {
  const clock = testClock()
  agent = await startTestAgent([{ text: 'I am', hold: new Promise(() => undefined) }], { clock })
  const node = { id: 'say', kind: 'agent', prompt: 'Say hello.', timeout_seconds: 60 } as const
  const run = await startWorkflow(agent, definition([node], []))
  await expect.poll(() => agent.model.requests.length).toBe(1)
  const error = async () => {
    clock.advance(30_000)
    const { state, nodes } = await snapshotOf(agent, run)
    return [state, nodes[0]?.failure_contract?.details.message]
  }
  await expect.poll(error).toEqual(['failed', 'the run was canceled: it took longer than 60 s'])
})

test('an approval that undoing needs is asked once, however often the run is resumed', async () => {
  await withAgent()
  const run = await startWorkflow(
    agent,
    definition(
      [
        write('one', 'one.txt', 'x', { compensation: { tool: 'fs.delete', arguments: '{"path":"one.txt"}' } } as Partial<WorkflowNode>),
        { id: 'ask', kind: 'question', question: 'Go on?' },
      ],
      [{ from: 'one', to: 'ask' }],
    ),
    { covers_calls: false },
  )
  await endOf(agent, run)
  const pending = async () => (await agent.call('approval_list', {})).items
  const tools = async () => (await pending()).map(({ approval }) => approval.tool)
  const [first] = await pending()
  const { approval_id = '', fingerprint = '' } = first?.approval ?? {}
  await agent.call('agent_run_resume', {
    run_id: first?.run_id ?? '',
    answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' },
  })
  await expect.poll(async () => (await endOf(agent, run)).reason).toBe('ask needs an answer')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'cancel' })
  expect(await tools()).toEqual(['fs.delete'])
  await agent.call('workflow_control', { workflow_run_id: run, action: 'resume' })
  await endOf(agent, run)
  expect(await tools()).toEqual(['fs.delete'])
  const end = await answerAll(agent, run)
  expect([end.state, read('one.txt')]).toEqual(['canceled', null])
})
