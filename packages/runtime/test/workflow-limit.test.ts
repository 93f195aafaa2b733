// A workflow whose loops would never end in practice, with a limit that a test can reach.
import { afterEach, expect, test, vi } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { endOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

vi.mock('@tandem/contract/limits', async (original) => {
  const { limits } = await original<typeof import('@tandem/contract/limits')>()
  return { limits: { ...limits, workflow_run_nodes: 100 } }
})

let agent: TestAgent
afterEach(() => agent.stop())

test('loops within loops end with a clear error before they fill the disk', async () => {
  agent = await startTestAgent([])
  const until = { left: 'a', comparison: 'equals', right: 'b' } as const
  const run = await startWorkflow(agent, {
    inputs: [],
    nodes: [
      { id: 'outer', kind: 'for_each', items: '[1,2,3,4,5,6,7,8]', concurrency: 8 },
      { id: 'inner', kind: 'repeat', within: 'outer', until, most_rounds: 10_000 },
      { id: 'look', kind: 'condition', within: 'inner', condition: { left: 'a', comparison: 'exists' } },
    ],
    edges: [],
  })
  const { state, reason, counts } = await endOf(agent, run)
  const message = 'its loops have started more than 100 nodes, which is the limit for one workflow run'
  expect([state, reason, counts.running, counts.completed < 150]).toEqual(['failed', message, 0, true])
})
