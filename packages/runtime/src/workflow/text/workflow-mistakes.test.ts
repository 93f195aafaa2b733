import { expect, test } from 'vitest'
import { readWorkflowText } from './workflow-text.ts'

/** The mistakes as `LINE:COLUMN POINTER MESSAGE`. */
function mistakes(text: string): string[] {
  const read = readWorkflowText(text)
  return read.ok ? [] : read.issues.map(({ pointer, line, column, message }) => `${line}:${column} ${pointer} ${message}`)
}

test('mistakes of the shape are about the kind of the node, all at once, in the order of the text', () => {
  const text = `name: 12
nodes:
  - id: Read
    kind: tool
    tool: fs.read
    args: { path: a }
  - id: wait
    kind: wait
    seconds: soon
  - id: again
    kind: repeat
    most_rounds: 0
    until: { left: a, comparison: equal }
  - id: what
    kind: step
  - id: none
  - text
  - { id: ask, kind: question, question: Which?, choices: [yes, 2] }
edges: a
outputs:
  - { name: out, type: text, value: true, unit: s }
extra: 1
`
  expect(mistakes(text)).toEqual([
    '1:1 /name must be text; write "12" in quotes',
    '3:5 /nodes/0/arguments is missing',
    '3:5 /nodes/0/id must have at most 64 characters, start with a lower-case letter and only contain lower-case letters, digits and _',
    '6:5 /nodes/0/args is not a field of a node of kind tool, which has id, title, within, join, position, timeout_seconds, retry, on_failure, compensation, kind, tool, arguments, idempotent',
    '9:5 /nodes/1/seconds must be a whole number',
    '12:5 /nodes/2/most_rounds must be at least 1',
    '13:23 /nodes/2/until/comparison must be one of equals, not_equals, contains, matches, greater, less, exists, empty',
    '15:5 /nodes/3/kind must be one of tool, agent, workflow, approval, question, condition, wait, transform, for_each, repeat',
    '16:5 /nodes/4/kind is missing; it must be one of tool, agent, workflow, approval, question, condition, wait, transform, for_each, repeat',
    '17:5 /nodes/5 must be an object with `id` and `kind`',
    '18:65 /nodes/6/choices/1 must be text; write "2" in quotes',
    '19:1 /edges must be a list',
    '21:30 /outputs/0/value must be text; write "true" in quotes',
    '21:43 /outputs/0/unit is not a field of an output, which has name, type, description, value',
    '22:1 /extra is not a field of a workflow, which has name, description, inputs, nodes, edges, output, outputs',
  ])
})

test('mistakes of the definition have the place of the value, even within arguments', () => {
  const text = `name: A
inputs:
  - { name: count, type: number, required: false, default_value: many }
nodes:
  - id: read
    kind: tool
    tool: fs.read
    arguments:
      files:
        - a
        - "{{inputs.folder}}"
  - id: run
    kind: tool
    tool: shell.exec
    arguments: { "a: b": 1, command: "rm {{inputs.count}}" }
  - { id: run, kind: wait, seconds: 1 }
edges:
  - read -> gone
  - read -> run when denied
`
  expect(mistakes(text)).toEqual([
    '3:51 /inputs/0/default_value must be a number',
    '11:11 /nodes/0/arguments/files/1 {{inputs.folder}}: there is no input folder',
    '15:29 /nodes/1/arguments/command placeholders are not allowed here, because it is executed. Use script.run, and pass the values as its `args`.',
    '16:7 /nodes/2/id another node has this id',
    '18:5 /edges/0 there is no node gone',
    '19:5 /edges/1 a node of kind tool can only end with succeeded or failed',
  ])
})

test('an edge that is text is reported as a whole, and the order of nodes is known even if something else is wrong', () => {
  const nodes = 'nodes: [{ id: a, kind: wait, seconds: 1 }, { id: b, kind: agent, prompt: "{{nodes.a.output}}" }'
  expect(mistakes(`---\nname: A\n${nodes}]\nedges: [A -> b, a -> b when done, a > b]\n...\n`)).toEqual([
    '4:9 /edges/0 from must have at most 64 characters, start with a lower-case letter and only contain lower-case letters, digits and _',
    '4:17 /edges/1 when must be one of succeeded, failed, approved, denied, true, false',
    '4:35 /edges/2 is not an edge; write `a -> b`, or `a -> b when failed`',
  ])
  expect(mistakes(`name: A\n${nodes}, { id: b, kind: wait, seconds: 1, within: c }]`)).toEqual([
    '2:100 /nodes/2/id another node has this id',
    '2:131 /nodes/2/within there is no node c',
  ])
})

test('arguments that are too long are reported as JSON', () => {
  const node = { id: 'a', kind: 'tool', tool: 'fs.read', arguments: { path: 'x'.repeat(70_000) } }
  expect(mistakes(JSON.stringify({ name: 'A', nodes: [node] }))).toEqual([
    '1:63 /nodes/0/arguments must have at most 65536 characters as JSON',
  ])
})

test('a document in the stored form has its own pointers', () => {
  const node = { id: 'a', kind: 'tool', tool: 'fs.read', arguments: '{"path":"{{inputs.x}}"}' }
  expect(mistakes(JSON.stringify({ name: 'A', definition: { inputs: [], nodes: [node], edges: [] }, nodes: [] }))).toEqual([
    '1:145 /nodes is not a field of a workflow, which has name, description, definition',
  ])
  expect(mistakes(JSON.stringify({ name: 'A', definition: { inputs: [], nodes: [node], edges: [] } }))).toEqual([
    '1:89 /definition/nodes/0/arguments /path: {{inputs.x}}: there is no input x',
  ])
})

test.each([
  [
    'arguments: "{\\"path\\": \\"a\\"}"',
    '/nodes/0/arguments must be an object, or one placeholder in quotes; do not write it as JSON text',
  ],
  ['arguments:', '/nodes/0/arguments must be an object, or one placeholder in quotes; do not write it as JSON text'],
  ['arguments: { a: {{inputs.x}} }', '/nodes/0/arguments/a must be in quotes, because it starts with the placeholder {{inputs.x}}'],
  ['arguments: { a: 12345678901234567890 }', '/nodes/0/arguments/a has too many digits to be kept exactly; put it in quotes'],
  ['arguments: { a: .inf }', '/nodes/0/arguments/a is not a number that JSON can contain'],
  ['arguments: { a: 1, a: 2 }', '/nodes/0/arguments/a occurs twice; remove one of them'],
  ['arguments: { 1: 1, "1": 2 }', '/nodes/0/arguments/1 occurs twice; remove one of them'],
  ['arguments: { a: !!binary aGk= }', '/nodes/0/arguments/a must not have a tag; remove !!binary'],
  ['arguments: { a: !env HOME }', '/nodes/0/arguments/a must not have a tag; remove !env'],
  ['arguments: { <<: { a: 1 } }', '/nodes/0/arguments must not contain merge keys (<<); write the fields out'],
  ['arguments: { a: *name }', '/nodes/0/arguments/a uses the alias *name without an anchor; put text that starts with * in quotes'],
  ['arguments: { a: &a [*a] }', '/nodes/0/arguments/a/0 contains itself through the alias *a'],
  ['arguments: { ? [a] : b }', '/nodes/0/arguments has a field without a name; write name: value'],
  ['__proto__: { kind: wait }', '/nodes/0/__proto__ is not a field of a node of kind tool, which has '],
])('%j', (line, expected) => {
  const found = mistakes(`name: A\nnodes:\n  - id: a\n    kind: tool\n    tool: fs.read\n    ${line}\n`)
  expect(found.filter((mistake) => mistake.includes(expected))).toHaveLength(1)
})

test.each([
  ['prompt: {{inputs.x}} is the name', '2:22  must be in quotes, because it starts with the placeholder {{inputs.x}}'],
  ['prompt: {{inputs.x}}', '2:9 /prompt must be in quotes, because it starts with the placeholder {{inputs.x}}'],
  ['prompt: Deploy: now', '2:9  is not valid YAML: put text that contains ": " in quotes, and start the fields of an object on a new line'],
  ['nodes:\n\t- a', '3:1  is not valid YAML: indent with spaces, not with tabs'],
  ['prompt: @home', '2:9  is not valid YAML: put text that starts with a special character in quotes'],
  ['prompt: "C:\\d"', '2:12  is not valid YAML: in double quotes, write \\\\ for a backslash, or use single quotes'],
  ['prompt: "a', '2:11  is not valid YAML: a closing quote, a bracket, a comma or a colon is missing'],
  ['---\nname: B', '2:1  must be one YAML document; remove the line ---'],
])('%j', (line, expected) => {
  expect(mistakes(`name: A\n${line}`)).toContain(expected)
})

test.each([
  ['', '1:1  is empty; write a workflow with `name` and `nodes`'],
  ['# only a comment', '1:1  is empty; write a workflow with `name` and `nodes`'],
  ['- a', '1:1  must be an object with `name` and `nodes`'],
  ['%YAML 1.1\n---\nname: A', '1:1  must not contain directives; remove the line that starts with %'],
  ['{"name": "A",}', '1:14  is not valid JSON: remove the comma before }'],
  ['{name: "A"}', '1:2  is not valid JSON: the name of a field in double quotes is expected'],
  ['{"name" "A"}', '1:9  is not valid JSON: a colon is expected after the name of a field'],
  ['{"name": A}', '1:10  is not valid JSON: a value is expected; text must be in double quotes'],
  ['{"name": "A\n"}', '1:10  is not valid JSON: a closing quote is missing'],
  ['{"name": "\\d"}', '1:10  is not valid JSON: the text has an invalid escape; write \\\\ for a backslash'],
  ['{"name": "A"} x', '1:15  is not valid JSON: the text must end after the closing }'],
  ['{"name": [1 2]}', '1:13  is not valid JSON: a comma or ] is expected'],
  ['{"a": 1, "a": 90071992547409931}', '1:10 /a occurs twice; remove one of them'],
  ['{"a": 90071992547409931}', '1:7 /a has too many digits to be kept exactly; put it in quotes'],
  [`{"a": ${'['.repeat(200)}`, '1:107  is nested too deeply; at most 100 levels are allowed'],
])('%j', (text, expected) => {
  expect(mistakes(text)).toContain(expected)
})

test.each([
  ['flow lists', `a: ${'['.repeat(300_000)}`],
  ['flow objects', '{a: '.repeat(200_000).slice(1)],
  ['block lists', '- '.repeat(400_000)],
  ['explicit keys', '? '.repeat(400_000)],
  ['brackets that close nothing', '}'.repeat(900_000)],
  ['colons that follow nothing', ': ]\n'.repeat(200_000)],
  ['open quotes', '"\n'.repeat(400_000)],
  ['documents', '---\n'.repeat(200_000)],
  ['items', `a: [${'1,'.repeat(400_000)}1]`],
  ['aliases', `a: &a x\nb: [${'*a,'.repeat(30_000)}]`],
  ['a bomb of aliases', `a0: &a0 x\n${Array.from({ length: 24 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]`).join('\n')}`],
  ['levels of aliases', `a0: &a0 [x]\n${Array.from({ length: 49 }, (_, at) => `a${at + 1}: &a${at + 1} [[[*a${at}]]]`).join('\n')}`],
  ['characters', `name: ${'x'.repeat(1_000_000)}`],
  ['items that are no nodes', `{"name": "A", "nodes": [${'1,'.repeat(400_000)}1]}`],
  ['fields with the same name', `{${'"a":1,'.repeat(100_000)}"a":1}`],
])('a text with too many %s is refused with a limited number of mistakes', (_, text) => {
  const found = mistakes(text)
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(100)
})
