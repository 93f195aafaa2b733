// Definitions and inputs that are meant to do harm: each ends with a clear error, and the runtime answers meanwhile.
import type { WorkflowDefinition, WorkflowNode } from '@tandem/contract/workflow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { endOf, startWorkflow } from './support/workflow/test-workflow-run.ts'

let agent: TestAgent
beforeAll(async () => {
  agent = await startTestAgent([])
})
afterAll(() => agent.stop())

const definition = (nodes: readonly WorkflowNode[], more: Partial<WorkflowDefinition> = {}): WorkflowDefinition => ({
  ...{ inputs: [], nodes: [...nodes], edges: [] },
  ...more,
})
const done = (id: string, within?: string): WorkflowNode => ({
  ...{ id, kind: 'condition', condition: { left: 'a', comparison: 'exists' } },
  ...(within === undefined ? {} : { within }),
})

async function failureOf(run: string, node_id: string) {
  const { state, nodes } = await endOf(agent, run)
  const failure = nodes.find((node) => node.node_id === node_id && node.failure_contract)?.failure_contract
  return [state, failure?.reason_code, failure?.details.message]
}

const list = (length: number) => Array.from({ length }, (_item, at) => at)

test('more items than are possible', async () => {
  const loop = [{ id: 'each', kind: 'for_each', items: '{{inputs.items}}', concurrency: 8 }, done('body', 'each')] as WorkflowNode[]
  const inputs = [{ name: 'items', type: 'json', required: true }] as WorkflowDefinition['inputs']
  const run = await startWorkflow(agent, definition(loop, { inputs }), { inputs: { items: list(10_001).map(() => 0) } })
  expect(await failureOf(run, 'each')).toEqual(['failed', 'too_many_items', 'each has 10001 items, and at most 10000 are possible'])
  const tooLong = startWorkflow(agent, definition(loop, { inputs }), { inputs: { items: list(50_000) } })
  await expect(tooLong).rejects.toThrow('`inputs` must have at most 65536 characters')
  const stillTooLong = startWorkflow(agent, definition(loop, { inputs }), { inputs: { items: list(10_500) } })
  await expect(stillTooLong).rejects.toThrow('the inputs are too long')
})

test('a list of millions of items that an expression makes', async () => {
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'make', kind: 'transform', input: 'null', expression: '[1..9999999]' },
        { id: 'each', kind: 'for_each', items: '{{nodes.make.output}}', concurrency: 32 },
        done('body', 'each'),
      ],
      { edges: [{ from: 'make', to: 'each' }] },
    ),
  )
  const message = 'make: The expression needed more than 64 MB of memory.'
  expect(await failureOf(run, 'make')).toEqual(['failed', 'expression_too_large', message])
})

test('a loop whose condition is never met', async () => {
  const run = await startWorkflow(
    agent,
    definition([
      { id: 'again', kind: 'repeat', until: { left: 'a', comparison: 'equals', right: 'b' }, most_rounds: 2_000 },
      done('round', 'again'),
    ]),
  )
  // Commands are answered while it goes on.
  await expect.poll(async () => (await agent.call('workflow_run_list', { state: 'running' })).items.length).toBe(1)
  expect(await failureOf(run, 'again')).toEqual(['failed', 'loop_failed', 'again: the condition was still not met after 2000 rounds'])
})

test('loops within loops that would take years can be canceled', async () => {
  const loop = (id: string, within?: string): WorkflowNode => ({
    ...{ id, kind: 'repeat', until: { left: 'a', comparison: 'equals', right: 'b' }, most_rounds: 10_000 },
    ...(within === undefined ? {} : { within }),
  })
  const run = await startWorkflow(agent, definition([loop('a'), loop('b', 'a'), loop('c', 'b'), done('d', 'c')]))
  await expect
    .poll(async () => (await agent.call('workflow_query', { workflow_run_id: run, node_id: 'd', iteration: [0, 0, 9] })).node.state)
    .toBe('completed')
  await agent.call('workflow_control', { workflow_run_id: run, action: 'cancel' })
  expect((await endOf(agent, run)).state).toBe('canceled')
})

test.each([
  ['that never ends', '($f := function($n) { $f($n + 1) }; $f(0))', 'expression_slow'],
  ['that needs all the memory', '($f := function($s) { $f($s & $s) }; $f("aaaaaaaa"))', 'expression_too_large'],
])('an expression %s', async (_name, expression, expected) => {
  const run = await startWorkflow(agent, definition([{ id: 'loops', kind: 'transform', input: 'null', expression }]))
  const [state, reason, message] = await failureOf(run, 'loops')
  expect([state, reason, message]).toEqual(['failed', expected, expect.stringMatching(/^loops: The expression needed more than /)])
})

test('a pattern that backtracks without end', async () => {
  const condition = { left: `${'a'.repeat(40)}b`, comparison: 'matches', right: '^(a+)+$' } as const
  const run = await startWorkflow(agent, definition([{ id: 'match', kind: 'condition', condition }]))
  const message = 'match: The expression needed more than 100 ms of processor time.'
  expect(await failureOf(run, 'match')).toEqual(['failed', 'expression_slow', message])
})

test('__proto__ in inputs, arguments and placeholders changes nothing else', async () => {
  const inputs = [{ name: 'data', type: 'json', required: true }] as WorkflowDefinition['inputs']
  const run = await startWorkflow(
    agent,
    definition(
      [
        { id: 'pass', kind: 'transform', input: '{"__proto__":{"polluted":1},"data":"{{inputs.data}}"}', expression: '$' },
        { id: 'look', kind: 'condition', condition: { left: '{{inputs.data.constructor}}', comparison: 'exists' } },
      ],
      { inputs, output: '{{nodes.pass.output}}' },
    ),
    { inputs: { data: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}') } },
  )
  const { state, result } = await endOf(agent, run)
  expect([state, ({} as Record<string, unknown>).polluted]).toEqual(['completed', undefined])
  expect(JSON.parse(result ?? 'null').data).toEqual(
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
  )
  await expect(startWorkflow(agent, definition([done('a')]), { inputs: JSON.parse('{"__proto__":1}') })).rejects.toThrow('inputs.__proto__')
})

test('JSON that is nested very deeply', async () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const inputs = [{ name: 'data', type: 'json', required: true }] as WorkflowDefinition['inputs']
  const start = (nodes: readonly WorkflowNode[]) =>
    startWorkflow(agent, definition(nodes, { inputs }), { inputs: { data: JSON.parse(deep) } })
  const evaluated = await start([{ id: 'pass', kind: 'transform', input: '"{{inputs.data}}"', expression: '$' }])
  expect(await failureOf(evaluated, 'pass')).toEqual(['failed', 'expression_too_large', 'pass: The input is nested too deeply.'])
  const itself = { left: '{{inputs.data}}', comparison: 'equals', right: '{{inputs.data}}' } as const
  const compared = await start([{ id: 'same', kind: 'condition', condition: itself }])
  expect((await endOf(agent, compared)).nodes).toMatchObject([{ node_id: 'same', outcome: 'true' }])
  const tool = await start([{ id: 'call', kind: 'tool', tool: 'fs.read', arguments: '{"path":"{{inputs.data}}"}' }])
  expect((await failureOf(tool, 'call')).slice(0, 2)).toEqual(['failed', 'invalid_arguments'])
  const nodes: WorkflowNode[] = [{ id: 'call', kind: 'tool', tool: 'fs.read', arguments: `{"path":${deep}}` }]
  const saved = agent.call('workflow_save', { name: 'Deep', definition: definition(nodes) })
  await expect(saved).rejects.toThrow('`definition.nodes.0.arguments` is not valid JSON, or is nested too deeply')
})
