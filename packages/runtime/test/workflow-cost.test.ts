// What a workflow reads and writes: no more than it needs, however long it is.
import { DatabaseSync } from 'node:sqlite'
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { answerAll, endOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

let agent: TestAgent
afterEach(async () => {
  vi.restoreAllMocks()
  await agent.stop()
})

const tool = (id: string): WorkflowNode => ({ id, kind: 'tool', tool: 'time.now', arguments: '{}' })

function chainOf(count: number): WorkflowDefinition {
  const nodes = Array.from({ length: count }, (_, at) => tool(`n${at}`))
  return { inputs: [], nodes, edges: nodes.slice(1).map(({ id }, at) => ({ from: `n${at}`, to: id })) }
}

const withApproval: WorkflowDefinition = {
  inputs: [],
  nodes: [tool('first'), { id: 'ask', kind: 'approval', title: 'The check', message: 'Continue?' }, tool('last')],
  edges: [
    { from: 'first', to: 'ask' },
    { from: 'ask', to: 'last', when: 'approved' },
  ],
}

test('a tool node that only reads takes four transactions', async () => {
  agent = await startTestAgent([])
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec')
  const begun = async (count: number) => {
    exec.mockClear()
    const end = await endOf(agent, await startWorkflow(agent, chainOf(count)))
    expect(end.state).toBe('completed')
    // What is learned from a run in the background takes the same number, whatever its length, if all of it is counted.
    const traces = async () => (await agent.call('skill_list_behavior_traces', { run_id: end.run_id ?? '' })).items.length
    await expect.poll(traces).toBe(1)
    return exec.mock.calls.filter(([text]) => text === 'BEGIN IMMEDIATE').length
  }
  // What starts with the first run is not counted.
  await begun(1)
  const [short, long] = [await begun(10), await begun(30)]
  expect(Math.round((long - short) / 20)).toBe(4)
})

test('a workflow that is resumed reads its steps once', async () => {
  agent = await startTestAgent([])
  const run = await startWorkflow(agent, withApproval)
  const { run_id } = await endOf(agent, run)
  const steps = vi.spyOn(agent.runtime.journal, 'steps')
  expect((await answerAll(agent, run)).state).toBe('completed')
  expect(steps.mock.calls.filter(([id, page]) => id === run_id && page === undefined)).toHaveLength(1)
})

test('a list of workflow runs reads none of their events', async () => {
  agent = await startTestAgent([])
  const agent_id = await agent.agent()
  const waits = await startWorkflow(agent, withApproval, { agent_id })
  const { run_id, started_at, workflow_id } = await endOf(agent, waits)
  const { workflowEvents } = agent.runtime.journal
  const reads = [vi.spyOn(workflowEvents, 'of'), vi.spyOn(workflowEvents, 'all')]
  expect((await agent.call('workflow_run_list', {})).items).toEqual([
    {
      ...{ workflow_run_id: waits, workflow_id, name: 'Test', run_id, state: 'paused', reason: 'The check needs an answer' },
      ...{ needs_user: true, started_at, ended_at: null },
    },
  ])
  for (const read of reads) expect(read).not.toHaveBeenCalled()
})

test('the events of a run, all or up to a number', async () => {
  agent = await startTestAgent([])
  const run = await startWorkflow(agent, chainOf(2))
  const { last_seq } = await endOf(agent, run)
  const { workflowEvents } = agent.runtime.journal
  const numbers = (last?: number) => [...workflowEvents.all(run, last)].map(({ seq }) => seq)
  expect(numbers()).toEqual(Array.from({ length: last_seq + 1 }, (_, seq) => seq))
  expect(numbers(2)).toEqual([0, 1, 2])
  expect(numbers(-1)).toEqual([])
})

test('a run in progress is shown without reading its events', async () => {
  agent = await startTestAgent([])
  const run = await startWorkflow(agent, {
    inputs: [],
    nodes: [
      { id: 'first', kind: 'transform', input: '1', expression: '$' },
      { id: 'rest', kind: 'wait', seconds: 5 },
    ],
    edges: [{ from: 'first', to: 'rest' }],
  })
  const states = async () => {
    const { nodes } = (await agent.call('workflow_snapshot', { workflow_run_id: run })).run
    return nodes.map(({ node_id, state }) => [node_id, state])
  }
  await expect.poll(states).toEqual([
    ['first', 'completed'],
    ['rest', 'waiting'],
  ])
  const reads = vi.spyOn(agent.runtime.journal.workflowEvents, 'all')
  expect(await states()).toHaveLength(2)
  expect(reads).not.toHaveBeenCalled()
  const { last_seq } = (await agent.call('workflow_snapshot', { workflow_run_id: run })).run
  const { run: at } = await agent.call('workflow_snapshot', { workflow_run_id: run, at_seq: last_seq })
  expect([at.last_seq, reads.mock.calls.length]).toEqual([last_seq, 1])
})
