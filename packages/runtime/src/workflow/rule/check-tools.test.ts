import type { WorkflowDefinition } from '@tandem/contract/workflow'
import Type from 'typebox'
import { expect, test } from 'vitest'
import { checkTools } from './check-tools.ts'

const write = Type.Object(
  {
    path: Type.String({ minLength: 1 }),
    mode: Type.Optional(Type.Union([Type.Literal('new'), Type.Literal('replace')])),
    lines: Type.Optional(Type.Array(Type.Integer())),
  },
  { additionalProperties: false },
)

function issues(given: unknown, tool = 'fs.write') {
  const definition = {
    inputs: [],
    edges: [],
    nodes: [
      { id: 'a', kind: 'wait', seconds: 1 },
      { id: 'b', kind: 'tool', tool, arguments: JSON.stringify(given) },
    ],
  } as unknown as WorkflowDefinition
  return checkTools(definition, (name) => (name === 'fs.write' ? write : undefined))
}

const inArguments = (message: string) => [{ pointer: '/nodes/1/arguments', message }]

test.each([
  ['all right', { path: 'a', mode: 'new', lines: [1] }, []],
  ['filled in later', { path: '{{inputs.file}}', mode: '{{inputs.mode}}', lines: '{{nodes.x.output}}' }, []],
  ['parts filled in later', { path: 'a/{{inputs.file}}', mode: 'n{{inputs.mode}}', lines: ['{{inputs.line}}'] }, []],
  ['a missing argument', {}, inArguments('/path: is missing')],
  ['an unknown argument', { path: 'a', pth: 1 }, inArguments('/pth: is not a known field')],
  ['an unknown argument, filled in later', { path: 'a', pth: '{{inputs.file}}' }, inArguments('/pth: is not a known field')],
  ['a wrong type', { path: 5 }, inArguments('/path: must be a string')],
  [
    'a wrong item next to one that is filled in',
    { path: 'a', lines: ['{{inputs.line}}', 'x'] },
    inArguments('/lines/1: must be a whole number'),
  ],
])('the arguments of a call: %s', (_name, given, expected) => {
  expect(issues(given)).toEqual(expected)
})

test('a tool that does not exist, and one of a server that may be switched off', () => {
  expect(issues({}, 'fs.wite')).toEqual([{ pointer: '/nodes/1/tool', message: 'there is no tool fs.wite' }])
  expect(issues({}, 'mcp.notes.add')).toEqual([])
})

test('the call that takes an effect back is checked, too', () => {
  const compensation = { tool: 'fs.write', arguments: '{"path":""}' }
  const node = { id: 'a', kind: 'agent', prompt: 'x', compensation } as const
  expect(checkTools({ inputs: [], edges: [], nodes: [node] }, () => write)).toEqual([
    { pointer: '/nodes/0/compensation/arguments', message: '/path: must not be empty' },
  ])
})
