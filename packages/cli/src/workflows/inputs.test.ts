import type { WorkflowInput } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { parseInputs } from './inputs.ts'

const inputs: WorkflowInput[] = [
  { name: 'title', type: 'text', required: true },
  { name: 'count', type: 'number', required: false },
  { name: 'fast', type: 'flag', required: true, default_value: 'false' },
  { name: 'data', type: 'json', required: false },
  { name: 'source', type: 'file', required: false },
]

test('values are converted to the types of the inputs', () => {
  const said = ['title=a = b', 'count=-1.5e3', 'fast=true', 'data=[1,{"a":null}]', 'source=notes.md']
  expect(parseInputs(inputs, said)).toEqual({
    ok: true,
    values: { title: 'a = b', count: -1_500, fast: true, data: [1, { a: null }], source: 'notes.md' },
  })
  expect(parseInputs(inputs, ['title='])).toEqual({ ok: true, values: { title: '' } })
})

test('a value on the command line replaces that of the file', () => {
  expect(parseInputs(inputs, ['count=2'], { title: 'Tidy', count: 'one' })).toEqual({ ok: true, values: { title: 'Tidy', count: 2 } })
})

const all = 'title (text), count (number), fast (flag), data (json), source (file)'

test.each<[readonly string[], Readonly<Record<string, unknown>>, string]>([
  [['title'], {}, '--input must be NAME=VALUE, not "title"'],
  [['=a'], {}, '--input must be NAME=VALUE, not "=a"'],
  [['title=a', 'title=b'], {}, '--input title is specified twice'],
  [['name=a'], {}, `--input name: there is no such input. The inputs are ${all}`],
  [['__proto__=a'], {}, `--input __proto__: there is no such input. The inputs are ${all}`],
  [['count='], {}, '--input count must be a number, not ""'],
  [['count=3 apples'], {}, '--input count must be a number, not "3 apples"'],
  [['count=Infinity'], {}, '--input count must be a number, not "Infinity"'],
  [['fast=yes'], {}, '--input fast must be true or false, not "yes"'],
  [['data={'], {}, '--input data must be valid JSON'],
  [[], {}, 'these inputs are required: title (text)'],
  [[], { name: 1 }, `--inputs: "name": there is no such input. The inputs are ${all}`],
  [[], { title: 1 }, '--inputs: "title" must be a text'],
])('%j with %j is refused', (said, file, problem) => {
  expect(parseInputs(inputs, said, file)).toEqual({ ok: false, problem })
})

test('a workflow without inputs accepts none', () => {
  expect(parseInputs([], [])).toEqual({ ok: true, values: {} })
  expect(parseInputs([], ['a=1'])).toEqual({ ok: false, problem: '--input a: the workflow has no inputs' })
})
