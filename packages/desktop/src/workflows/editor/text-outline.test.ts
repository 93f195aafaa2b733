import { expect, test } from 'vitest'
import { readOutline } from './text-outline.ts'

const nodes = 'nodes:\n  - id: a\n    kind: tool\n'

test.each([
  ['an empty text', '', 'field', [], ''],
  ['the name of a field', 'na', 'field', [], 'na'],
  ['a colon without a space', 'name:', 'nothing', ['name'], ''],
  ['a value', 'name: A bird', 'value', ['name'], 'A bird'],
  ['a comment', 'name: A\n# no', 'nothing', [], ''],
  ['a comment after a value', 'name: A # no', 'nothing', ['name'], ''],
  ['a value after which there is a field', 'name: A\nnodes:\n', 'field', [], ''],
  ['the first item', 'nodes:\n  - ', 'field', ['nodes', 0], ''],
  ['a dash without a space', 'nodes:\n  -', 'nothing', ['nodes', 0], ''],
  ['an item without indentation', 'nodes:\n- i', 'field', ['nodes', 0], 'i'],
  ['a field after items without indentation', 'nodes:\n- id: a\n- id: b\ne', 'field', [], 'e'],
  ['a field of an item', `${nodes}    to`, 'field', ['nodes', 0], 'to'],
  ['an empty line in an item', `${nodes}    `, 'field', ['nodes', 0], ''],
  ['an empty line before the next item', `${nodes}  `, 'field', ['nodes'], ''],
  ['an empty line after all items', nodes, 'field', [], ''],
  ['the next item', `${nodes}  - id: `, 'value', ['nodes', 1, 'id'], ''],
  ['what is inside of a field', `${nodes}    retry:\n      `, 'field', ['nodes', 0, 'retry'], ''],
  ['after what was inside of a field', `${nodes}    retry:\n      attempts: 1\n    j`, 'field', ['nodes', 0], 'j'],
  ['a line of a long text', 'description: |\n  Hello {{in', 'text', ['description'], '  Hello {{in'],
  ['an empty line in a long text', 'description: |\n  Hello\n\n  a: b', 'text', ['description'], '  a: b'],
  ['a field after a long text', 'description: >-\n  Hello\nno', 'field', [], 'no'],
  ['a long text of an item', 'nodes:\n  - prompt: |\n      Hello', 'text', ['nodes', 0, 'prompt'], '      Hello'],
  ['a field after the long text of an item', 'nodes:\n  - prompt: |\n      Hello\n    id', 'field', ['nodes', 0], 'id'],
  ['after quotes', 'name: "A"', 'nothing', ['name'], ''],
  ['an item of texts', 'edges:\n  - a -> b\n  - b ->', 'field', ['edges', 1], 'b ->'],
] as const)('%s', (_, text, expects, path, written) => {
  expect(readOutline(text).end).toEqual({ expects, path, written, quote: '', isFlow: false })
})

test.each([
  ['a quoted value', "output: 'a {{n", 'value', ['output'], 'a {{n', "'", false],
  ['a quoted value with an escaped quote', 'output: "a \\" b', 'value', ['output'], 'a \\" b', '"', false],
  ['a field in brackets', 'retry: { attempts: 1, ba', 'field', ['retry'], 'ba', '', true],
  ['a value in brackets', 'nodes: [{ id: a, kind: t', 'value', ['nodes', 0, 'kind'], 't', '', true],
  ['an item in brackets', 'choices: [yes, n', 'value', ['choices', 1], 'n', '', true],
  ['brackets over several lines', 'retry: {\n  attempts: 1,\n  b', 'field', ['retry'], 'b', '', true],
  ['a field of JSON', '{\n  "name": "A",\n  "no', 'field', [], 'no', '"', true],
  ['a value of JSON', '{"nodes": [{"id": "a"}, {"kind":"', 'value', ['nodes', 1, 'kind'], '', '"', true],
  ['after a value of JSON', '{"name": "A"', 'nothing', [], '', '', true],
] as const)('%s', (_, text, expects, path, written, quote, isFlow) => {
  expect(readOutline(text).end).toEqual({ expects, path, written, quote, isFlow })
})

test('finds what a text with mistakes contains', () => {
  const text = 'name: A # b\nnodes:\n  - id: "a"\n    ki\n  - { id: b, kind: wait }\nedges: [a -> b]\nbroken\n'
  expect(readOutline(text).entries).toEqual([
    { path: ['name'], value: 'A' },
    { path: ['nodes'], value: '' },
    { path: ['nodes', 0], value: '' },
    { path: ['nodes', 0, 'id'], value: 'a' },
    { path: ['nodes', 1], value: '' },
    { path: ['nodes', 1], value: '{ id: b, kind: wait }' },
    { path: ['nodes', 1, 'id'], value: 'b' },
    { path: ['nodes', 1, 'kind'], value: 'wait' },
    { path: ['edges'], value: '[a -> b]' },
    { path: ['edges', 0], value: 'a -> b' },
  ])
})
