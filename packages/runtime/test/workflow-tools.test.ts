// Agents start workflows, wait for them and look at them; they see only their own.
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectCards } from '@tandem/contract/card'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const upper = {
  inputs: [{ name: 'text', type: 'text' as const, required: true }],
  nodes: [
    { id: 'up', kind: 'transform' as const, input: '"{{inputs.text}}"', expression: '$uppercase($)' },
    { id: 'ask', kind: 'question' as const, question: 'Use it?', choices: ['yes', 'no'] },
  ],
  edges: [{ from: 'up', to: 'ask' }],
  outputs: [
    { name: 'text', type: 'text' as const, value: '{{nodes.up.output}}' },
    { name: 'answer', type: 'text' as const, value: '{{nodes.ask.output}}' },
  ],
}

/** What the tool messages of a request say. */
const told = (messages: readonly { readonly role: string; readonly content?: unknown }[]) =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))

test('an agent starts a workflow, is paused while it waits for it, and gets its result', async () => {
  const asked: string[][] = []
  agent = await startTestAgent((_index, { messages }) => {
    const results = told(messages)
    asked.push(results)
    const id = /id: (\S+)/.exec(results.join('\n'))?.[1] ?? ''
    const calls = [
      { name: 'workflow.start', arguments: { workflow: 'upper', inputs: { text: 'tea' } } },
      { name: 'workflow.snapshot', arguments: { workflow_run_id: id } },
      { name: 'workflow.wait', arguments: { workflow_run_id: id } },
      { name: 'workflow.query', arguments: { workflow_run_id: id, node: 'up' } },
      { name: 'workflow.history', arguments: { workflow_run_id: id, kinds: ['node.completed'] } },
      { name: 'workflow.control', arguments: { workflow_run_id: id, action: 'cancel' } },
    ]
    const next = calls[results.length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  const agent_id = await agent.agent()
  for (const tool of ['workflow.start', 'workflow.control']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  await agent.call('workflow_save', { name: 'Upper', definition: upper })
  const { run_id, state } = await agent.ask(agent_id, 'Start it')
  expect([state, agent.runtime.journal.run(run_id)?.pause_reason]).toEqual(['paused', 'workflow'])

  await expect.poll(async () => (await agent.call('question_list', {})).items.length).toBe(1)
  const [pending] = (await agent.call('question_list', {})).items
  // The question is there before the workflow has paused.
  await expect.poll(() => agent.runtime.journal.run(pending?.run_id ?? '')?.state).toBe('paused')
  const answer = { chosen: ['yes'], text: null }
  await agent.call('agent_run_resume', {
    run_id: pending?.run_id ?? '',
    answer: { kind: 'question', question_id: pending?.question.question_id ?? '', answer },
  })
  await expect.poll(() => agent.runtime.journal.run(run_id)?.state).toBe('completed')
  const results = asked.at(-1) ?? []
  expect(results[0]).toContain('Started Upper')
  expect(results[3]).toContain('"TEA"')
  expect(results[2]).toContain('Upper: completed\nResult: {"text":"TEA","answer":"yes"}')
  expect(results[4]?.split('\n')).toHaveLength(2)
  expect(results[5]).toContain('cannot be canceled')

  // Its card is where it was started, and in its own conversation.
  const cards = (id: string) =>
    agent.runtime.journal
      .steps(id)
      .flatMap(({ step }) => (step.kind === 'workflow.status' ? [`${step.state} ${step.nodes_done}/${step.nodes_total}`] : []))
  const all = ['running 0/2', 'running 1/2', 'paused 1/2', 'running 1/2', 'running 2/2', 'completed 2/2']
  expect(cards(run_id)).toEqual(all)
  expect(cards(pending?.run_id ?? '')).toEqual(all)
  expect(projectCards(agent.runtime.journal.steps(run_id).map(({ step }) => step)).filter(({ kind }) => kind === 'Workflow')).toMatchObject(
    [{ name: 'Upper', state: 'completed', nodes_done: 2, nodes_total: 2 }],
  )
})

test('a finished run becomes the text of a workflow that does the same', async () => {
  const calls = [
    { name: 'fs.write', arguments: { path: 'plan-a.md', content: 'A plan of several words.' } },
    { name: 'fs.read', arguments: { path: 'missing.md' } },
    { name: 'fs.read', arguments: { path: 'plan-a.md' } },
    { name: 'fs.write', arguments: { path: 'copy.md', content: 'A plan of several words.' } },
  ]
  agent = await startTestAgent((_index, { messages }) => {
    const next = calls[told(messages).length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'fs.write', { approval_mode: 'auto' })
  const { run_id } = await agent.ask(agent_id, 'Write plan-a.md and copy it')
  const { text, notes } = await agent.call('workflow_draft', { run_id, format: 'yaml' })
  expect(notes).toContain('Left out 1 call that did not succeed.')
  const { content } = await agent.call('workflow_read_text', { text })
  if (!content) throw new Error(text)
  const { workflow } = await agent.call('workflow_save', { ...content, covers_calls: true })
  const elsewhere = await mkdtemp(join(agent.workspace, 'other-'))
  const inputs = '{"path":"other.md"}'
  const { run } = await agent.call('workflow_start', { workflow_id: workflow.workflow_id, workspace: elsewhere, agent_id, inputs })
  const state = async () => (await agent.call('workflow_snapshot', { workflow_run_id: run.workflow_run_id })).run.state
  await expect.poll(state).toBe('completed')
  expect(await readFile(join(elsewhere, 'other.md'), 'utf8')).toBe('A plan of several words.')
  expect(await readFile(join(elsewhere, 'copy.md'), 'utf8')).toContain('A plan of several words.')
})

test('a workflow that does not exist, inputs that are wrong, and runs of other agents are refused with what helps', async () => {
  const asked: string[][] = []
  let other = ''
  agent = await startTestAgent((_index, { messages }) => {
    const results = told(messages)
    asked.push(results)
    const calls = [
      { name: 'workflow.start', arguments: { workflow: 'nothing' } },
      { name: 'workflow.start', arguments: { workflow: 'Upper', inputs: { text: 5 } } },
      { name: 'workflow.wait', arguments: { workflow_run_id: other } },
      { name: 'workflow.control', arguments: { workflow_run_id: other, action: 'cancel' } },
    ]
    const next = calls[results.length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  const agent_id = await agent.agent()
  for (const tool of ['workflow.start', 'workflow.control']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const { workflow } = await agent.call('workflow_save', { name: 'Upper', definition: upper })
  const { agent: someone } = await agent.call('agent_create', { name: 'Other' })
  const { workflow_id } = workflow
  const started = await agent.call('workflow_start', {
    workflow_id,
    inputs: '{"text":"a"}',
    agent_id: someone.agent_id,
    workspace: agent.workspace,
  })
  other = started.run.workflow_run_id
  await agent.ask(agent_id, 'Try')
  const results = asked.at(-1) ?? []
  expect(results[0]).toContain(`Use one of: Upper (${workflow_id})`)
  expect(results[1]).toContain('`inputs.text` must be a text')
  expect(results.slice(2).map((text) => text.includes(`there is no workflow run ${other}`))).toEqual([true, true])
  const state = async () => (await agent.call('workflow_snapshot', { workflow_run_id: other })).run.state
  await expect.poll(state).toBe('paused')
})

test('an agent cannot answer in place of the user, whatever it may do with its workflows', async () => {
  const asked: string[][] = []
  agent = await startTestAgent((_index, { messages }) => {
    const results = told(messages)
    asked.push(results)
    const workflow_run_id = /id: (\S+)/.exec(results.join('\n'))?.[1] ?? ''
    const skip = { workflow_run_id, action: 'skip', reason: 'it is fine' }
    const calls = [
      { name: 'workflow.start', arguments: { workflow: 'Publish' } },
      { name: 'workflow.control', arguments: { ...skip, node: 'sure', outcome: 'approved' } },
      { name: 'workflow.control', arguments: { ...skip, node: 'name' } },
    ]
    const next = calls[results.length]
    return next ? { calls: [next] } : { text: 'Done.' }
  })
  const agent_id = await agent.agent()
  for (const tool of ['workflow.start', 'workflow.control']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
  const definition = {
    inputs: [],
    nodes: [
      { id: 'sure', kind: 'approval' as const, message: 'Publish it?' },
      { id: 'name', kind: 'question' as const, question: 'Under which name?' },
    ],
    edges: [{ from: 'sure', to: 'name', when: 'approved' as const }],
  }
  await agent.call('workflow_save', { name: 'Publish', definition })
  await agent.ask(agent_id, 'Publish it')
  const results = asked.at(-1) ?? []
  expect(results.slice(1).map((text) => /only the user can decide about \w+/.exec(text)?.[0])).toEqual([
    'only the user can decide about sure',
    'only the user can decide about name',
  ])
  const [run] = (await agent.call('workflow_run_list', {})).items
  await expect.poll(async () => (await agent.call('workflow_run_list', {})).items[0]?.state).toBe('paused')
  expect((await agent.call('workflow_snapshot', { workflow_run_id: run?.workflow_run_id ?? '' })).run.counts.skipped).toBe(0)
})
