import fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { checkWorkflow, nodeOutcomes, type WorkflowDefinition, type WorkflowNode, workflowOutcomes } from '../index.ts'
import { WorkflowNode as NodeSchema, WorkflowDefinition as Schema } from '../schema.ts'

const wait = (id: string): WorkflowNode => ({ id, kind: 'wait', seconds: 1 })
const graph = (nodes: WorkflowNode[], edges: WorkflowDefinition['edges']): WorkflowDefinition => ({ inputs: [], nodes, edges })

test('a diamond is valid', () => {
  const diamond = graph(
    [wait('a'), { id: 'b', kind: 'approval', message: 'Go on?' }, wait('c'), wait('d')],
    [
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c', when: 'failed' },
      { from: 'b', to: 'd', when: 'approved' },
      { from: 'c', to: 'd' },
    ],
  )
  expect([Value.Check(Schema, diamond), checkWorkflow(diamond)]).toEqual([true, []])
})

test('every mistake is reported with its location, all at once', () => {
  const broken: WorkflowDefinition = {
    inputs: [
      { name: 'x', type: 'text', required: true },
      { name: 'x', type: 'flag', required: false },
    ],
    nodes: [wait('a'), wait('a'), { id: 'b', kind: 'condition', condition: { left: '{{inputs.x}}', comparison: 'exists' } }, wait('c')],
    edges: [
      { from: 'a', to: 'nowhere' },
      { from: 'lost', to: 'a' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c', when: 'approved' },
      { from: 'c', to: 'b' },
      { from: 'c', to: 'b', when: 'succeeded' },
    ],
  }
  expect(checkWorkflow(broken)).toEqual([
    { pointer: '/nodes/1/id', message: 'another node has this id' },
    { pointer: '/inputs/1/name', message: 'another input has this name' },
    { pointer: '/edges/0/to', message: 'there is no node nowhere' },
    { pointer: '/edges/1/from', message: 'there is no node lost' },
    { pointer: '/edges/2/when', message: 'a node of kind condition can only end with true or false' },
    { pointer: '/edges/3/when', message: 'a node of kind wait can only end with succeeded or failed' },
    { pointer: '/edges/5', message: 'is a duplicate of another edge' },
    {
      pointer: '/edges',
      message: 'a workflow must not contain a cycle, but the edges among b, c form one; to repeat nodes, put them in a node of kind repeat',
    },
  ])
})

test('edges that only go forward never form a cycle; one that goes back does', () => {
  const size = 12
  const nodes = Array.from({ length: size }, (_, at) => wait(`n${at}`))
  const forward = fc.uniqueArray(
    fc.tuple(fc.nat(size - 2), fc.integer({ min: 1, max: size - 1 })).map(([from, step]) => [from, Math.min(from + step, size - 1)]),
    { selector: String },
  )
  fc.assert(
    fc.property(forward, (pairs) => {
      const edges = pairs.map(([from, to]) => ({ from: `n${from}`, to: `n${to}` }))
      expect(checkWorkflow(graph(nodes, edges))).toEqual([])
      const [first] = edges
      if (first) expect(checkWorkflow(graph(nodes, [...edges, { from: first.to, to: first.from }]))).toHaveLength(1)
    }),
  )
})

test('the table of outcomes covers the kinds and outcomes of the schema', () => {
  expect(NodeSchema.anyOf.map((shape) => shape.properties.kind.const)).toEqual(Object.keys(nodeOutcomes))
  expect(new Set<string>(Object.values(nodeOutcomes).flat())).toEqual(new Set(workflowOutcomes))
})

/** A loop over a list with a body of two nodes, and one node after it. */
const looping: WorkflowDefinition = {
  inputs: [
    { name: 'folder', type: 'file', required: true },
    { name: 'count', type: 'number', required: false, default_value: '3' },
    { name: 'files', type: 'json', required: true },
    { name: 'loud', type: 'flag', required: false },
  ],
  nodes: [
    { id: 'list', kind: 'tool', tool: 'fs.list', arguments: '{"path":"{{inputs.folder}}"}' },
    { id: 'each', kind: 'for_each', items: '{{nodes.list.output.entries}}', concurrency: 4, result: '{{nodes.ask.output}}' },
    { id: 'read', kind: 'tool', tool: 'fs.read', arguments: '{"path":"{{loops.each.item.path}}"}', within: 'each' },
    { id: 'ask', kind: 'agent', prompt: 'Item {{loops.each.index}}: {{nodes.read.output.text}} of {{nodes.list.output}}', within: 'each' },
    { id: 'again', kind: 'repeat', until: { left: '{{nodes.test.output.exit_code}}', comparison: 'equals', right: '0' }, most_rounds: 5 },
    { id: 'test', kind: 'tool', tool: 'shell.exec', arguments: '{"command":"npm test","cwd":"{{inputs.folder}}"}', within: 'again' },
    { id: 'sum', kind: 'transform', input: '{"all":"{{nodes.each.output}}"}', expression: '$count(all)' },
  ],
  edges: [
    { from: 'list', to: 'each' },
    { from: 'read', to: 'ask' },
    { from: 'each', to: 'again' },
    { from: 'again', to: 'sum' },
  ],
  outputs: [{ name: 'files', type: 'json', value: '{{nodes.each.output}}' }],
}

/** The definition with one node changed, or with other parts. */
const changed = (id: string, change: object): WorkflowDefinition => ({
  ...looping,
  nodes: looping.nodes.map((node) => (node.id === id ? ({ ...node, ...change } as WorkflowNode) : node)),
})

test('loops, transforms and typed outputs are valid', () => {
  expect([Value.Check(Schema, looping), checkWorkflow(looping)]).toEqual([true, []])
})

const firstOnly = (definition: WorkflowDefinition) => checkWorkflow(definition).map(({ pointer, message }) => `${pointer} ${message}`)

test.each<[string, WorkflowDefinition, string]>([
  ['a loop that is not there', changed('read', { within: 'nothing' }), '/nodes/2/within there is no node nothing'],
  [
    'a loop that is none',
    changed('test', { within: 'list' }),
    '/nodes/5/within list is of kind tool, and only for_each and repeat contain nodes',
  ],
  [
    'an empty loop',
    changed('test', { within: undefined }),
    '/nodes/4 no node is within the loop again; set `within` of the nodes that it repeats',
  ],
  ['loops around each other', changed('each', { within: 'each' }), '/nodes/1/within loops must not contain each other'],
  [
    'an edge out of a loop',
    { ...looping, edges: [...looping.edges, { from: 'ask', to: 'sum' }] },
    '/edges/4 leads from the loop each to the workflow itself; both nodes must be in the same loop',
  ],
  ['an unknown input', changed('ask', { prompt: '{{inputs.nothing}}' }), '/nodes/3/prompt {{inputs.nothing}}: there is no input nothing'],
  [
    'an unknown node',
    changed('ask', { prompt: '{{nodes.nothing.output}}' }),
    '/nodes/3/prompt {{nodes.nothing.output}}: there is no node nothing',
  ],
  [
    'what looks like a placeholder',
    changed('ask', { prompt: '{{env.HOME}}' }),
    '/nodes/3/prompt {{env.HOME}} is not a placeholder; write {{inputs.NAME}}, {{nodes.ID.output}} or {{loops.ID.item}}',
  ],
  [
    'a node that has not ended',
    changed('list', { arguments: '{"a":["{{nodes.sum.output}}"]}' }),
    '/nodes/0/arguments /a/0: {{nodes.sum.output}}: sum has not ended at this point',
  ],
  [
    'a node of a loop, from outside',
    changed('sum', { input: '"{{nodes.ask.output}}"' }),
    '/nodes/6/input {{nodes.ask.output}}: ask has not ended at this point',
  ],
  [
    'an item outside of its loop',
    changed('sum', { input: '"{{loops.each.item}}"' }),
    '/nodes/6/input {{loops.each.item}}: this is not within the loop each',
  ],
  [
    'an item of a node that is no loop',
    changed('sum', { input: '"{{loops.list.item}}"' }),
    '/nodes/6/input {{loops.list.item}}: list is of kind tool, which is not a loop',
  ],
  [
    'an item of repeat',
    changed('again', { result: '{{loops.again.item}}' }),
    '/nodes/4/result {{loops.again.item}}: a loop of kind repeat has no items',
  ],
  [
    'an error of what does not fail',
    {
      ...looping,
      nodes: [...looping.nodes, { id: 'ok', kind: 'approval', message: 'Fine?' }],
      edges: [...looping.edges, { from: 'ok', to: 'sum', when: 'approved' }],
      output: '{{nodes.ok.error}}',
    },
    '/output {{nodes.ok.error}}: a node of kind approval does not fail',
  ],
  [
    'parts of a number',
    changed('ask', { prompt: '{{inputs.count.a}}' }),
    '/nodes/3/prompt {{inputs.count.a}}: {{inputs.count}} is a number and has no parts',
  ],
  [
    'a placeholder in a command',
    changed('test', { arguments: '{"command":"ls {{inputs.folder}}"}' }),
    '/nodes/5/arguments /command: placeholders are not allowed here, because it is executed. Use script.run, and pass the values as its `args`.',
  ],
  [
    'a placeholder in a script',
    changed('test', { tool: 'script.run', arguments: '{"source":"{{inputs.folder}}"}' }),
    '/nodes/5/arguments /source: placeholders are not allowed here, because it is executed. Pass the values as its `args`.',
  ],
  [
    'a placeholder in JavaScript',
    changed('test', { tool: 'browser.eval', arguments: '{"expression":"{{inputs.folder}}"}' }),
    '/nodes/5/arguments /expression: placeholders are not allowed here, because it is executed. Use constant JavaScript.',
  ],
  ['arguments that are no JSON', changed('list', { arguments: '{' }), '/nodes/0/arguments is not valid JSON, or is nested too deeply'],
  [
    'items that are a text',
    changed('each', { items: 'a, b' }),
    '/nodes/1/items is a text, but must be a list: one placeholder, or a list as JSON',
  ],
  [
    'items that are a number',
    changed('each', { items: '{{inputs.count}}' }),
    '/nodes/1/items is a number, but must be a list: one placeholder, or a list as JSON',
  ],
  [
    'a comparison without its second value',
    changed('again', { until: { left: '1', comparison: 'equals' } }),
    '/nodes/4/until the comparison equals needs `right`',
  ],
  [
    'a comparison with one too many',
    changed('again', { until: { left: '1', comparison: 'exists', right: '1' } }),
    '/nodes/4/until/right the comparison exists has no `right`',
  ],
  [
    'a comparison of a flag by size',
    changed('again', { until: { left: '{{inputs.loud}}', comparison: 'greater', right: '1' } }),
    '/nodes/4/until/left is true or false, which cannot be compared by greater',
  ],
  [
    'a default of another type',
    { ...looping, inputs: [...looping.inputs, { name: 'n', type: 'number', required: false, default_value: '"3"' }] },
    '/inputs/4/default_value must be a number',
  ],
  [
    'a default that is no JSON',
    { ...looping, inputs: [...looping.inputs, { name: 'n', type: 'text', required: false, default_value: 'x' }] },
    '/inputs/4/default_value is not valid JSON',
  ],
  [
    'an output of another type',
    { ...looping, outputs: [{ name: 'n', type: 'number', value: '{{nodes.each.output}}' }] },
    '/outputs/0/value is a list, but the output must be a number',
  ],
  [
    'an output that is a text',
    { ...looping, outputs: [{ name: 'n', type: 'number', value: '{{inputs.count}} files' }] },
    '/outputs/0/value is a text, but the output must be a number; a value that consists of one placeholder keeps its type',
  ],
  [
    'two outputs of one name',
    {
      ...looping,
      outputs: [
        { name: 'n', type: 'json', value: '1' },
        { name: 'n', type: 'json', value: '2' },
      ],
    },
    '/outputs/1/name another output has this name',
  ],
])('%s is reported', (_what, definition, issue) => {
  expect(firstOnly(definition)).toContain(issue)
})

test('a node that starts after the first of several nodes may name only what has ended on every way to it', () => {
  const node = (id: string, input = '1', more: object = {}) => ({ id, kind: 'transform' as const, input, expression: '$', ...more })
  const meeting = (named: string, join: 'all' | 'any') => ({
    inputs: [],
    nodes: [node('start'), node('one'), node('other'), node('met', '1', { join }), node('then', `"{{nodes.${named}.output}}"`)],
    edges: [
      { from: 'start', to: 'one' },
      { from: 'start', to: 'other' },
      { from: 'one', to: 'met' },
      { from: 'other', to: 'met' },
      { from: 'met', to: 'then' },
    ],
  })
  expect(firstOnly(meeting('other', 'any'))).toEqual(['/nodes/4/input {{nodes.other.output}}: other has not ended at this point'])
  for (const [named, join] of [
    ['start', 'any'],
    ['met', 'any'],
    ['other', 'all'],
  ] as const)
    expect(checkWorkflow(meeting(named, join))).toEqual([])
})

test('what a compensation takes back may be named in it, and nothing later', () => {
  const undo = (name: string) =>
    changed('list', { compensation: { tool: 'fs.delete', arguments: `{"path":"{{nodes.${name}.output.path}}"}` } })
  expect(checkWorkflow(undo('list'))).toEqual([])
  expect(firstOnly(undo('each'))).toEqual([
    '/nodes/0/compensation/arguments /path: {{nodes.each.output.path}}: each has not ended at this point',
  ])
})

test('inputs that another workflow needs, does not know, or cannot use are reported before it is started', () => {
  const workflow_id = '018f0000-0000-7000-8000-000000000001'
  const input = (name: string, type: WorkflowDefinition['inputs'][number]['type'], required: boolean) => ({ name, type, required })
  const other = graph([{ id: 'rest', kind: 'wait', seconds: 1 }], [])
  const known = { ...other, inputs: [input('who', 'text', true), input('count', 'number', false), input('any', 'json', false)] }
  const found = (inputs: object) => {
    const definition = graph([{ id: 'start', kind: 'workflow', workflow_id, inputs: JSON.stringify(inputs) }], [])
    const own = { ...definition, inputs: [input('n', 'number', true), input('t', 'text', true)] }
    return checkWorkflow(own, { workflow_id: null, definitionOf: () => known }).map(({ pointer, message }) => `${pointer} ${message}`)
  }
  expect(found({ who: 'a {{inputs.n}}', count: '{{inputs.n}}', any: ['{{inputs.t}}'] })).toEqual([])
  expect(found({ count: '{{inputs.t}}', other: 1 })).toEqual([
    '/nodes/0/inputs other: the workflow has no such input',
    '/nodes/0/inputs who: is required',
    '/nodes/0/inputs count: is a text, but must be a number',
  ])
  expect(found({ who: 5 })).toEqual(['/nodes/0/inputs who: must be a text'])
})

test('workflows that start each other are reported', () => {
  const [one, two, three] = [
    '018f0000-0000-7000-8000-000000000001',
    '018f0000-0000-7000-8000-000000000002',
    '018f0000-0000-7000-8000-000000000003',
  ]
  const starting = (...ids: string[]) =>
    graph(
      ids.map((workflow_id, at) => ({ id: `n${at}`, kind: 'workflow', workflow_id, inputs: '{}' })),
      [],
    )
  const all = new Map([
    [one, starting(two)],
    [two, starting(three)],
    [three, starting(one)],
  ])
  const others = (workflow_id: string) => ({ workflow_id, definitionOf: (id: string) => all.get(id) })
  expect(checkWorkflow(starting(two), others(one))).toEqual([
    { pointer: '/nodes/0/workflow_id', message: `the workflow ${two} starts this one, so neither would end` },
  ])
  expect(checkWorkflow(starting(one), others(one))).toEqual([
    { pointer: '/nodes/0/workflow_id', message: 'a workflow cannot start itself' },
  ])
  // Others in a circle without it are their own problem, and do not hold up the check.
  expect(checkWorkflow(starting(two), others('018f0000-0000-7000-8000-000000000009'))).toEqual([])
})

test('deeply nested loops are refused', () => {
  const depth = 6
  const loops = Array.from(
    { length: depth },
    (_, at): WorkflowNode => ({
      ...{ id: `l${at}`, kind: 'repeat', until: { left: '1', comparison: 'exists' }, most_rounds: 1 },
      ...(at === 0 ? {} : { within: `l${at - 1}` }),
    }),
  )
  const issues = firstOnly(graph([...loops, { ...wait('last'), within: `l${depth - 1}` }], []))
  expect(issues).toEqual([
    '/nodes/5/within there are more than 4 loops within each other',
    '/nodes/6/within there are more than 4 loops within each other',
  ])
})
