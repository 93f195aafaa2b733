// Workflows that wait for days, with a clock that the test controls: restarts in between, and a clock that is set back.

import type { WorkflowDefinition } from '@tandem/contract/workflow'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from './support/clock/test-clock.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { endOf, snapshotOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

const day_ms = 86_400_000
const job_ms = 15_000

let clock: TestClock
let agent: TestAgent
/** How long the timers that are pending were set for. */
const timers = new Map<object, number>()

beforeEach(async () => {
  const time = testClock()
  timers.clear()
  clock = {
    ...time,
    after(ms, call) {
      const timer = {}
      timers.set(timer, ms)
      const cancel = time.after(ms, () => {
        timers.delete(timer)
        call()
      })
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
  }
  agent = await startTestAgent([], { clock })
})

afterEach(() => agent.stop())

/** Jobs run several times, and what they start ends. */
async function jobsRun(): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    clock.advance(job_ms)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
}

const waiting: WorkflowDefinition = {
  inputs: [],
  nodes: [
    { id: 'rest', kind: 'wait', seconds: (30 * day_ms) / 1_000 },
    { id: 'then', kind: 'condition', condition: { left: 'a', comparison: 'equals', right: 'a' } },
  ],
  edges: [{ from: 'rest', to: 'then' }],
}

test('a workflow waits for 30 days without doing anything, and goes on after them, whatever restarts happen meanwhile', async () => {
  const run = await startWorkflow(agent, waiting)
  const { last_seq, run_id, nodes } = await endOf(agent, run)
  expect(nodes.map(({ node_id, waits_for, until }) => [node_id, waits_for, until])).toEqual([['rest', 'time', '2026-03-31T09:00:00.000Z']])
  expect(agent.runtime.journal.run(run_id ?? '')).toMatchObject({ state: 'paused', pause_reason: 'time' })
  for (let day = 0; day < 29; day += 1) {
    if (day % 5 === 4) await agent.restart()
    clock.advance(day_ms - 20 * job_ms)
    await jobsRun()
    expect([...timers.values()].filter((ms) => ms > 20 * day_ms)).toEqual([])
  }
  expect(await endOf(agent, run)).toMatchObject({ state: 'paused', last_seq })
  await agent.restart()
  clock.advance(day_ms)
  await jobsRun()
  expect(await endOf(agent, run)).toMatchObject({ state: 'completed', counts: { completed: 2 } })
})

test('a clock that is set back lets it wait until the same time', async () => {
  const run = await startWorkflow(agent, waiting)
  const { last_seq } = await endOf(agent, run)
  const until = clock.now() + 30 * day_ms
  clock.set(clock.now() - 300 * day_ms)
  await jobsRun()
  await agent.restart()
  await jobsRun()
  expect(await snapshotOf(agent, run)).toMatchObject({ state: 'paused', last_seq })
  clock.set(until)
  await jobsRun()
  expect((await endOf(agent, run)).state).toBe('completed')
})

test('what Tandem was doing when it was closed goes on with the next start, even if the clock was set back', async () => {
  // A short wait does not pause the run.
  const nodes = waiting.nodes.map((node) => (node.kind === 'wait' ? { ...node, seconds: 5 } : node))
  const run = await startWorkflow(agent, { ...waiting, nodes })
  await agent.restart({}, () => clock.set(clock.now() - 300 * day_ms))
  expect(await snapshotOf(agent, run)).toMatchObject({ state: 'paused', reason: 'Tandem was closed; it continues with the next start' })
  await jobsRun()
  expect(await endOf(agent, run)).toMatchObject({ state: 'paused', reason: 'until 2026-03-01T09:00:05.000Z' })
})
