// A loop over very many items: the memory that it needs does not grow with them, and its events are read in pages. As many as are possible:
// npm run test:workflow.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { limits } from '@tandem/contract/limits'
import { foldWorkflowRun, type WorkflowRunEvent } from '@tandem/contract/workflow-run'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { snapshotOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

let agent: TestAgent
afterEach(() => agent.stop())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const mebibyte = 1024 * 1024

function heapInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const count = Number(process.env.TANDEM_WORKFLOW_ITEMS ?? limits.workflow_rounds / 4)

test(`${count} items, eight at a time`, { timeout: 900_000 }, async () => {
  agent = await startTestAgent([])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'time.now', { rate_limit: { calls: 100_000, per_seconds: 60 } })
  const items = Array.from({ length: count }, (_item, at) => at)
  const before = heapInUse()
  const run = await startWorkflow(
    agent,
    {
      inputs: [{ name: 'items', type: 'json', required: true }],
      nodes: [
        { id: 'each', kind: 'for_each', items: '{{inputs.items}}', concurrency: 8, result: '{{loops.each.item}}' },
        { id: 'now', kind: 'tool', tool: 'time.now', arguments: '{}', within: 'each' },
      ],
      edges: [],
      output: `{{nodes.each.output[${count - 1}]}}`,
    },
    { inputs: { items }, agent_id },
  )
  const { run_id } = await snapshotOf(agent, run)
  let most = 0
  const steps = new Set<number>()
  for (;;) {
    const record = agent.runtime.journal.run(run_id ?? '')
    if (record?.state !== 'running') break
    steps.add(record.next_seq)
    if (steps.size % 20 === 0) most = Math.max(most, heapInUse() - before)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  // Commands are answered meanwhile.
  expect(steps.size).toBeGreaterThan(5)
  const end = await snapshotOf(agent, run)
  expect(end).toMatchObject({ state: 'completed', counts: { completed: items.length + 1 }, result: String(count - 1) })
  expect(end.nodes.length + end.nodes_left_out).toBe(items.length + 1)
  expect(most / mebibyte).toBeLessThan(256)
  const events: WorkflowRunEvent[] = []
  for (;;) {
    const after = events.at(-1)
    const page = agent.runtime.journal.workflowEvents.of(run, { ...(after ? { after } : {}), limit: 1_000 })
    expect(page.length).toBeLessThanOrEqual(1_000)
    events.push(...page)
    if (page.length < 1_000) break
  }
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: end.last_seq + 1 }, (_event, at) => at))
  expect(foldWorkflowRun(events)?.nodes.size).toBe(items.length + 1)
})
