// Workflows that use memories: other devices see only the ids of what stays on this device.
import { join } from 'node:path'
import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { openStore } from '../src/store/store.ts'
import { openEntities } from '../src/sync/entity/entities.ts'
import { matchesSchema } from '../src/sync/entity/shapes.ts'
import { openOutbox } from '../src/sync/outbox.ts'
import { testClock } from './support/clock/test-clock.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { answerAll, snapshotOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

/** Everything that this device would send. Stops its runtime. */
async function sentBy(agent: TestAgent) {
  await agent.runtime.stop()
  const store = openStore({ home: join(agent.folder, 'home'), user_home: '/home/mara', clock: testClock() })
  try {
    return openOutbox(store, openEntities(store))
      .batch({ changes: 5_000, bytes: 50_000_000 })
      .map(({ change }) => change)
  } finally {
    store.close()
  }
}

const content = 'The lighthouse project uses a green lantern.'
const inner: WorkflowDefinition = {
  inputs: [{ name: 'query', type: 'text', required: true }],
  nodes: [
    { id: 'shout', kind: 'transform', input: '"{{inputs.query}}"', expression: '{"text": $, "memory_id": "m1"}' },
    { id: 'look', kind: 'tool', tool: 'memory.search', arguments: '{"query":"{{inputs.query}}"}' },
  ],
  edges: [{ from: 'shout', to: 'look' }],
  outputs: [{ name: 'said', type: 'text', value: '{{nodes.shout.output.text}}' }],
}

test('of the calls of memory tools, and of what follows from them, only ids are sent', async () => {
  const agent = await startTestAgent([{ text: 'Done.' }])
  try {
    const { workflow } = await agent.call('workflow_save', { name: 'Inner', definition: inner })
    const agent_id = await agent.agent()
    for (const tool of ['memory.add', 'memory.search', 'memory.delete']) await agent.policy(agent_id, tool, { approval_mode: 'auto' })
    const outer: WorkflowDefinition = {
      inputs: [],
      nodes: [
        { id: 'before', kind: 'transform', input: '"sent"', expression: '$uppercase($)' },
        {
          ...{ id: 'add', kind: 'tool', tool: 'memory.add' },
          arguments: JSON.stringify({ content, memory_kind: 'semantic', about: 'lighthouse' }),
        },
        { id: 'copy', kind: 'transform', input: '"{{nodes.add.output.memory.content}}"', expression: '{"text": $, "memory_id": "m1"}' },
        { id: 'inner', kind: 'workflow', workflow_id: workflow.workflow_id, inputs: '{"query":"{{nodes.copy.output.text}}"}' },
        { id: 'wrong', kind: 'tool', tool: 'memory.delete', arguments: '{"id":"{{nodes.copy.output.text}}"}', on_failure: 'continue' },
      ],
      edges: [
        { from: 'before', to: 'add' },
        { from: 'add', to: 'copy' },
        { from: 'copy', to: 'inner' },
        { from: 'inner', to: 'wrong' },
      ],
      outputs: [{ name: 'found', type: 'text', value: '{{nodes.inner.output.said}}' }],
    }
    const run = await startWorkflow(agent, outer, { agent_id })
    await expect.poll(async () => (await snapshotOf(agent, run)).state).toBe('completed')
    expect((await snapshotOf(agent, run)).result).toBe(JSON.stringify({ found: content }))
    const changes = await sentBy(agent)
    expect(changes.filter(({ entity_type, payload }) => !matchesSchema(entity_type, payload))).toEqual([])
    // The user wrote the definition.
    const written = changes.map(({ payload: { definition: _own, ...payload } }) => JSON.stringify(payload))
    expect(written.filter((text) => /lighthouse|lantern/.test(text))).toEqual([])
    const events = changes.flatMap(({ entity_type, payload }) => (entity_type === 'workflow_run_events' ? [payload] : []))
    const outputOf = (node: string) => events.find(({ kind, node_id }) => kind === 'node.completed' && node_id === node)?.output
    expect(['before', 'copy', 'shout'].map(outputOf)).toEqual(['"SENT"', '{"memory_id":"m1"}', '{"memory_id":"m1"}'])
    // On this device, all of it can be read.
    expect(changes.filter(({ entity_type }) => entity_type === 'tool_calls')).not.toEqual([])
  } finally {
    await agent.stop()
  }
})

test('nor is it in what a workflow then asks an agent or the user, writes, or returns to the agent that ran it', async () => {
  const agent = await startTestAgent((_, { messages }) => {
    const [, workflow] = /^Run (\S+)$/.exec(String(messages.findLast(({ role }) => role === 'user')?.content)) ?? []
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
    if (!workflow || results.length > 1) return { text: 'Done.' }
    const [, workflow_run_id] = /^id: (\S+)$/m.exec(results[0] ?? '') ?? []
    return {
      calls: [
        workflow_run_id ? { name: 'workflow.wait', arguments: { workflow_run_id } } : { name: 'workflow.start', arguments: { workflow } },
      ],
    }
  })
  try {
    const agent_id = await agent.agent()
    for (const tool of ['memory.add', 'fs.write', 'workflow.start', 'workflow.wait'])
      await agent.policy(agent_id, tool, { approval_mode: 'auto' })
    const definition: WorkflowDefinition = {
      inputs: [],
      nodes: [
        { ...{ id: 'before', kind: 'tool', tool: 'fs.write' }, arguments: '{"path":"a.md","content":"sent"}' },
        {
          ...{ id: 'add', kind: 'tool', tool: 'memory.add' },
          arguments: JSON.stringify({ content, memory_kind: 'semantic', about: 'lighthouse' }),
        },
        {
          ...{ id: 'write', kind: 'tool', tool: 'fs.write' },
          arguments: '{"path":"b.md","content":"{{nodes.add.output.memory.content}}"}',
        },
        { id: 'work', kind: 'agent', prompt: 'Think about this: {{nodes.add.output.memory.content}}' },
      ],
      edges: [
        { from: 'before', to: 'add' },
        { from: 'add', to: 'write' },
        { from: 'write', to: 'work' },
      ],
      outputs: [{ name: 'found', type: 'text', value: '{{nodes.add.output.memory.content}}' }],
    }
    const { workflow } = await agent.call('workflow_save', { name: 'Keeps', definition, covers_calls: true })
    const { run_id: first } = await agent.ask(agent_id, `Run ${workflow.workflow_id}`)
    await expect.poll(() => agent.runtime.journal.run(first)?.state).toBe('completed')
    const returned = agent.runtime.journal
      .steps(first)
      .flatMap(({ step }) => (step.kind === 'tool.result' ? [JSON.stringify(step.output)] : []))
    expect(returned.at(-1)).toContain(content)
    const asked: WorkflowDefinition = {
      inputs: [],
      nodes: [
        {
          ...{ id: 'add', kind: 'tool', tool: 'memory.add' },
          arguments: JSON.stringify({ content, memory_kind: 'semantic', about: 'lighthouse' }),
        },
        { id: 'ask', kind: 'question', question: 'Is it {{nodes.add.output.memory.content}}?' },
      ],
      edges: [{ from: 'add', to: 'ask' }],
      outputs: [],
    }
    const run = await startWorkflow(agent, asked, { agent_id })
    expect(await answerAll(agent, run, { question: content })).toMatchObject({ state: 'completed' })
    const run_id = (await snapshotOf(agent, run)).run_id ?? ''
    const questions = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'question.asked' ? [step.question] : []))
    expect(questions.map(({ question }) => question)).toEqual([`Is it ${content}?`])

    const changes = await sentBy(agent)
    expect(changes.filter(({ entity_type, payload }) => !matchesSchema(entity_type, payload))).toEqual([])
    const written = changes.map(({ payload: { definition: _own, ...payload } }) => JSON.stringify(payload))
    expect(written.filter((text) => /lighthouse|lantern/.test(text))).toEqual([])
    // What came before the memory, and what the user wrote, is sent as it is.
    expect(written.filter((text) => text.includes('\\"content\\":\\"sent\\"'))).not.toEqual([])
    expect(written.filter((text) => text.includes(`"Run ${workflow.workflow_id}"`))).not.toEqual([])
  } finally {
    await agent.stop()
  }
})
