import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonIn, openQuestions, taskText } from './member-text.ts'

test('a member gets the task, the paths, the excerpts and the schema, and nothing else', () => {
  const all = { task: 'Do it.', files: ['a.ts', 'b.ts'], excerpts: [{ title: 'Log', text: 'line' }], output_schema: '{"type":"string"}' }
  expect(taskText(all)).toBe(
    'Do it.\n\nFiles to look at:\n- a.ts\n- b.ts\n\nLog:\nline\n\nWhen you are done, respond with one JSON value and nothing else. It must match this JSON schema:\n{"type":"string"}',
  )
  expect(taskText({ task: 'Do it.', files: [], excerpts: [], output_schema: null })).toBe('Do it.')
})

test.each([
  ['Done.', []],
  ['Done.\n\nOpen questions:\n- Which one?\n2) And when?', ['Which one?', 'And when?']],
  ['## Open Questions\n* one\n\n## Next\n- other', ['one']],
  ['**Open questions**\nNone.', []],
  ['Open questions are asked below\n- no', []],
  ['Open questions:\n- first\n\nOpen questions:\n- last', ['last']],
])('the open questions of %j', (answer, questions) => {
  expect(openQuestions(answer)).toEqual(questions)
})

test('any answer can be read, and what is read is bounded', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5_000 }), (text) => {
      const questions = openQuestions(`Open questions:\n${text.repeat(50)}`)
      expect(questions.length).toBeLessThanOrEqual(20)
      for (const question of questions) expect(question.length).toBeLessThanOrEqual(500)
    }),
  )
})

test.each([
  ['{"a":1}', { a: 1 }],
  ['Here it is:\n```json\n{"a":1}\n```\nBye', { a: 1 }],
  ['```\n[1]\n```', [1]],
  ['null', null],
  ['no json', undefined],
  ['```json\n{broken\n```', undefined],
])('the JSON in %j', (answer, value) => {
  expect(jsonIn(answer)).toEqual(value)
})
