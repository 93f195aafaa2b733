import { expect, test } from 'vitest'
import { fillArguments } from './arguments.ts'

const text = { type: 'string' }
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required })

test.each([
  ['the likeliest name', object({ file: text, path: text }), { path: 'a' }, { path: 'a' }],
  ['any name the tool uses', object({ file_path: text, text }), { path: 'a', content: 'b' }, { file_path: 'a', text: 'b' }],
  ['two parts never share a property', object({ text }), { title: 'a', content: 'b' }, { text: 'a' }],
  ['numbers where numbers are wanted', object({ id: { type: 'integer' } }), { id: '3' }, { id: 3 }],
  ['a list of texts', object({ path: { type: 'array', items: text } }), { path: 'a' }, { path: ['a'] }],
  [
    'things in a list',
    object({ todos: { type: 'array', items: object({ title: text, state: { enum: ['open', 'done'] } }, ['title', 'state']) } }),
    { title: 'milk' },
    { todos: [{ title: 'milk', state: 'open' }] },
  ],
  [
    'edits in a list, the file next to it',
    object({ path: text, edits: { type: 'array', items: object({ old_text: text, new_text: text }) } }),
    { before: 'a', after: 'b', path: 'f' },
    { path: 'f', edits: [{ old_text: 'a', new_text: 'b' }] },
  ],
  ['a type other than null is chosen', object({ path: { anyOf: [{ type: 'null' }, text] } }), { path: 'a' }, { path: 'a' }],
  [
    'required values that were not given',
    object(
      {
        a: { type: 'boolean' },
        b: { type: 'integer', minimum: 2 },
        c: { type: 'array' },
        d: { default: 7 },
        e: text,
        f: object({ g: text }, ['g']),
      },
      ['a', 'b', 'c', 'd', 'e', 'f'],
    ),
    {},
    { a: false, b: 2, c: [], d: 7, e: '', f: { g: '' } },
  ],
  ['no schema at all', undefined, { path: 'a', content: 'b' }, { path: 'a', content: 'b' }],
])('%s', (_name, schema, wanted, filled) => {
  expect(fillArguments(schema, wanted)).toEqual(filled)
})
