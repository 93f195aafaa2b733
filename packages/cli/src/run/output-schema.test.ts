import { expect, test } from 'vitest'
import { checkAnswer, parseOutputSchema } from './output-schema.ts'

const text = JSON.stringify({ type: 'object', required: ['n'], additionalProperties: false, properties: { n: { type: 'integer' } } })

test.each([
  ['{"n": 1}', { json: '{"n":1}' }],
  ['```json\n{"n": 1}\n```', { json: '{"n":1}' }],
  ['```\n{"n": 1}\n```\n', { json: '{"n":1}' }],
  ['Here it is: {"n": 1}', { problems: ['it is not valid JSON'] }],
  ['{"n": "1"}', { problems: ['/n must be integer'] }],
])('%s', async (answer, result) => {
  const read = await parseOutputSchema(text, 's.json')
  if ('complaint' in read) throw new Error(read.complaint)
  expect(checkAnswer(answer, read.schema)).toEqual(result)
})

test.each([
  ['{', 's.json is not valid JSON'],
  ['[]', 's.json is not a JSON Schema'],
  ['null', 's.json is not a JSON Schema'],
])('%s is no schema', async (content, complaint) => {
  expect(await parseOutputSchema(content, 's.json')).toEqual({ complaint })
})
