import { commandNames } from '@tandem/contract/command'
import { commands } from '@tandem/contract/command/schema'
import { routes } from '@tandem/contract/http/schema'
import { expect, test } from 'vitest'
import { fieldsOf, typeOf } from './field.ts'

const plain = { optional: false, description: null, inside: [] }

test('fields, lists, alternatives and what is inside are read off a schema', () => {
  const shape = {
    type: 'object',
    required: ['id', 'answer', 'items'],
    properties: {
      id: { type: 'string', format: 'uuid', description: 'UUIDv7' },
      answer: { anyOf: [{ const: 'no' }, { type: 'null' }] },
      items: { type: 'array', items: { type: 'object', required: [], properties: { state: { enum: ['a', 'b'] } } } },
      limit: { type: 'integer' },
    },
  }
  expect(fieldsOf(shape)).toEqual([
    [
      { ...plain, name: 'id', type: 'uuid', description: 'UUIDv7' },
      { ...plain, name: 'answer', type: '"no" | null' },
      { ...plain, name: 'items', type: 'object[]', inside: [[{ ...plain, name: 'state', type: '"a" | "b"', optional: true }]] },
      { ...plain, name: 'limit', type: 'integer', optional: true },
    ],
  ])
})

test('a list of alternatives keeps them together', () => {
  expect(typeOf({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } })).toBe('(string | null)[]')
})

test('every command has fields to show for its result', () => {
  expect(commandNames.filter((name) => fieldsOf(commands[name].result).length === 0)).toEqual([])
})

test('no field of the contract is shown without the words for its type', () => {
  const wordless = Object.values(routes).flatMap((route) =>
    Object.values(route.replies).flatMap((reply) =>
      fieldsOf(reply)
        .flat()
        .filter((field) => field.type === ''),
    ),
  )
  expect(wordless).toEqual([])
})
