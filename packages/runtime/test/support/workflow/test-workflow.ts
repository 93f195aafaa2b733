// Generated workflows that are valid, with all kinds of nodes and with texts that are hard to write.
import { nodeOutcomes, type WorkflowContent, type WorkflowEdge, type WorkflowInput, type WorkflowNode } from '@tandem/contract/workflow'
import fc from 'fast-check'

/** What YAML gives a meaning of its own. */
const odd = [
  '',
  ' ',
  'on',
  'no',
  'true',
  'null',
  '~',
  '12',
  '0x1f',
  '1e3',
  '.inf',
  '- a',
  'a: b',
  'a #b',
  '<<',
  '*a',
  '&a',
  '!t',
  '%a',
  '@a',
  '`a`',
]
const lines = [
  'a\nb',
  'a\n',
  '\na',
  ' a\n b\n',
  'a\n\n',
  '\t',
  'a\r\nb',
  '---\na',
  '...',
  '# a',
  '"',
  "'",
  '\\',
  '\u2028',
  '\uFEFF',
  '\u0085',
]

const text = fc
  .oneof(fc.constantFrom(...odd, ...lines), fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }))
  .filter((one) => !one.includes('{{'))
const line = text.map((one) => `a${one}`)
const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }).filter((one) => !JSON.stringify(one).includes('{{'))
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '1', 'true', 'a/b', 'a~b'))
const named = fc.dictionary(key, fc.oneof(value, text)).map((one) => JSON.stringify(one))
const json = fc.oneof(value, text).map((one) => JSON.stringify(one))
const seconds = fc.integer({ min: 1, max: 3_600 })

const common = {
  title: line,
  join: fc.constantFrom('all' as const, 'any' as const),
  // JSON has no negative zero.
  position: fc.record({ x: fc.double({ noDefaultInfinity: true, noNaN: true }).map((one) => one + 0), y: fc.integer() }),
}
const reaction = fc.constantFrom('stop' as const, 'continue' as const)
const patience = { timeout_seconds: seconds, retry: fc.record({ attempts: fc.integer({ min: 1, max: 10 }), backoff_seconds: seconds }) }
const effects = {
  ...common,
  ...patience,
  on_failure: reaction,
  compensation: fc.record({ tool: fc.constant('fs.delete'), arguments: named }),
}
const condition = fc.oneof(
  fc.record({ left: text, comparison: fc.constantFrom('equals' as const, 'contains' as const), right: text }),
  fc.record({ left: text, comparison: fc.constantFrom('exists' as const, 'empty' as const) }),
)

const needed = <Field extends string>(...fields: Field[]) => ({ requiredKeys: ['kind' as const, ...fields] })

/** Without their ids. */
const parts = fc.oneof(
  fc.record(
    { ...effects, kind: fc.constant('tool'), tool: fc.constant('fs.read'), arguments: named, idempotent: fc.boolean() },
    needed('tool', 'arguments'),
  ),
  fc.record({ ...effects, kind: fc.constant('agent'), agent_id: fc.constant('agent:1'), prompt: text }, needed('prompt')),
  fc.record(
    { ...effects, kind: fc.constant('workflow'), workflow_id: fc.uuid({ version: 7 }), inputs: named },
    needed('workflow_id', 'inputs'),
  ),
  fc.record({ ...common, kind: fc.constant('approval'), message: text }, needed('message')),
  fc.record({ ...common, kind: fc.constant('question'), question: text, choices: fc.array(line, { maxLength: 3 }) }, needed('question')),
  fc.record({ ...common, kind: fc.constant('condition'), condition }, needed('condition')),
  fc.record({ ...common, kind: fc.constant('wait'), seconds }, needed('seconds')),
  fc.record({ ...common, kind: fc.constant('transform'), input: json, expression: line }, needed('input', 'expression')),
  fc.record(
    {
      ...common,
      kind: fc.constant('for_each'),
      items: fc.constant('["a"]'),
      concurrency: fc.constant(2),
      result: text,
      on_item_failure: reaction,
    },
    needed('items', 'concurrency'),
  ),
  fc.record(
    {
      ...common,
      kind: fc.constant('repeat'),
      until: fc.oneof(condition, fc.record({ expression: line })),
      most_rounds: fc.constant(3),
      result: text,
    },
    needed('until', 'most_rounds'),
  ),
)

const defaults = { text, file: text, number: fc.double({ noDefaultInfinity: true, noNaN: true }), flag: fc.boolean(), json: value }
const inputs = fc.array(
  fc.constantFrom('text' as const, 'file' as const, 'number' as const, 'flag' as const, 'json' as const).chain((type) =>
    fc.record(
      {
        type: fc.constant(type),
        description: line,
        required: fc.boolean(),
        default_value: defaults[type].map((one) => JSON.stringify(one)),
      },
      { requiredKeys: ['type', 'required'] },
    ),
  ),
  { maxLength: 3 },
)

const graph = fc.array(parts, { minLength: 1, maxLength: 6 }).chain((list) => {
  const nodes = list.flatMap((part, at): WorkflowNode[] => {
    const node = { ...part, id: `n${at}` } as WorkflowNode
    if (node.kind !== 'for_each' && node.kind !== 'repeat') return [node]
    return [
      node,
      { id: `n${at}_a`, kind: 'wait', seconds: 1, within: node.id },
      { id: `n${at}_b`, kind: 'wait', seconds: 1, within: node.id },
    ]
  })
  const possible = nodes.flatMap((from, at) =>
    nodes
      .slice(at + 1)
      .filter((to) => to.within === from.within)
      .flatMap((to): WorkflowEdge[] => [
        ...nodeOutcomes[from.kind].map((when) => ({ from: from.id, to: to.id, when })),
        ...(nodeOutcomes[from.kind][0] === 'succeeded' ? [{ from: from.id, to: to.id }] : []),
      ]),
  )
  const named = (edge: WorkflowEdge) => JSON.stringify([edge.from, edge.to, edge.when ?? 'succeeded'])
  const inOrder = possible.filter(({ from, to, when }) => when === undefined && followsDirectly(nodes, from, to))
  const some = fc.uniqueArray(fc.nat(Math.max(possible.length - 1, 0)), { maxLength: 8 }).map((places) => {
    const edges = places.flatMap((place) => possible[place] ?? [])
    return [...new Map(edges.map((edge) => [named(edge), edge])).values()]
  })
  return fc.record({ nodes: fc.constant(nodes), edges: fc.oneof(some, fc.constant(inOrder)) })
})

function followsDirectly(nodes: readonly WorkflowNode[], from: string, to: string): boolean {
  const level = nodes.filter(({ within }) => within === nodes.find(({ id }) => id === from)?.within).map(({ id }) => id)
  return level.indexOf(to) === level.indexOf(from) + 1
}

export const generatedWorkflow: fc.Arbitrary<WorkflowContent> = fc
  .record(
    { name: line, description: text, inputs, graph, output: text, outputs: fc.array(text, { maxLength: 2 }) },
    { requiredKeys: ['name', 'inputs', 'graph'] },
  )
  .map(({ name, description, inputs: fields, graph: { nodes, edges }, output, outputs }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    definition: {
      inputs: fields.map((input, at) => ({ ...input, name: `i${at}` }) as WorkflowInput),
      nodes,
      edges,
      ...(output === undefined ? {} : { output }),
      ...(outputs === undefined
        ? {}
        : { outputs: outputs.map((template, at) => ({ name: `o${at}`, type: 'text' as const, value: template })) }),
    },
  }))
