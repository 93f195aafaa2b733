import type { QuestionAnswer } from '@tandem/contract/run'
import { QuestionPrompt } from '@tandem/contract/run/schema'
import fc from 'fast-check'
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { answerOf, asksForSecret, elicitedFields, type FieldAnswer, questionFor } from './elicited-fields.ts'

const ids = { question_id: '01890a5d-ac96-774b-bcce-b302099a8057', call_id: 'c' }
const shown = { server_name: 'Shop', tool: 'mcp.shop.buy', problem: null }

function only(schema: object, required = true) {
  const fields = elicitedFields({ type: 'object', properties: { it: schema }, required: required ? ['it'] : [] })
  const field = typeof fields === 'string' ? undefined : fields[0]
  if (!field) throw new Error(`it is refused: ${fields}`)
  return field
}

const chose = (...chosen: string[]): QuestionAnswer => ({ chosen, text: null })
const wrote = (text: string): QuestionAnswer => ({ chosen: [], text })

test.each<[object, QuestionAnswer, FieldAnswer]>([
  [{ type: 'string' }, wrote('tea'), { action: 'value', value: 'tea' }],
  [{ type: 'string', minLength: 3 }, wrote('ab'), { action: 'again', problem: 'The answer needs at least 3 characters.' }],
  [{ type: 'string', maxLength: 1 }, wrote('ab'), { action: 'again', problem: 'The answer may have at most 1 characters.' }],
  [{ type: 'number' }, wrote(' 1.5 '), { action: 'value', value: 1.5 }],
  [{ type: 'number' }, wrote('many'), { action: 'again', problem: 'The answer must be a number.' }],
  [{ type: 'number' }, wrote('   '), { action: 'again', problem: 'The answer must be a number.' }],
  [{ type: 'integer' }, wrote('1.5'), { action: 'again', problem: 'The answer must be a whole number.' }],
  [{ type: 'integer', minimum: 2 }, wrote('1'), { action: 'again', problem: 'The answer must be at least 2.' }],
  [{ type: 'integer', maximum: 2 }, wrote('3'), { action: 'again', problem: 'The answer must be at most 2.' }],
  [{ type: 'boolean' }, chose('true'), { action: 'value', value: true }],
  [{ type: 'boolean' }, chose('false'), { action: 'value', value: false }],
  [{ type: 'string', enum: ['a', 'b'] }, chose('b'), { action: 'value', value: 'b' }],
  [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, chose('a'), { action: 'value', value: 'a' }],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, chose('a', 'b'), { action: 'value', value: ['a', 'b'] }],
  [{ type: 'string' }, chose('tandem:decline'), { action: 'decline' }],
  [{ type: 'string' }, chose('tandem:cancel'), { action: 'cancel' }],
  [{ type: 'string' }, chose('tandem:skip'), { action: 'skip' }],
])('%j answered with %j', (schema, answer, expected) => {
  expect(answerOf(only(schema), answer)).toEqual(expected)
})

test.each<[unknown, string]>([
  [{ properties: { a: { type: 'object' } } }, 'the field a is neither text, a number, yes or no, nor a choice'],
  [{ properties: { a: {} } }, 'the field a is neither text, a number, yes or no, nor a choice'],
  [
    { properties: Object.fromEntries(Array.from({ length: 11 }, (_, no) => [`f${no}`, { type: 'string' }])) },
    'it asks for 11 fields; 10 are allowed',
  ],
  [{ properties: { a: { enum: Array.from({ length: 17 }, (_, no) => `o${no}`) } } }, 'the field a has more than 16 options'],
])('%j is not asked', (schema, why) => {
  expect(elicitedFields(schema)).toBe(why)
})

test('a request without fields is a confirmation', () => {
  expect(elicitedFields({ type: 'object', properties: {} })).toEqual([])
  const { options, allows_text } = questionFor(ids, { ...shown, message: 'Go?', field: null })
  expect([options.map(({ label }) => label), allows_text]).toEqual([['Confirm', 'Decline', 'Cancel'], false])
  expect(answerOf(null, chose('tandem:accept'))).toEqual({ action: 'value', value: true })
})

test.each([
  ['Your password', {}, true],
  ['Who are you?', { title: 'API key' }, true],
  ['Who are you?', { description: 'The access token of the shop' }, true],
  ['How many?', { title: 'Pins in the wall' }, false],
  ['Which monkey?', { title: 'Keyboard' }, false],
])('%s %j asks for a secret: %s', (message, extra, expected) => {
  const field = only({ type: 'string', ...extra })
  expect(asksForSecret(field, message)).toBe(expected)
  expect(questionFor(ids, { ...shown, message, field }).question.includes('It seems to ask for a secret.')).toBe(expected)
})

test('whatever a server asks, the question is valid, names the server, and can be declined', () => {
  const schema = fc.record({
    type: fc.constantFrom('string', 'number', 'integer', 'boolean'),
    title: fc.string(),
    description: fc.string(),
  })
  const anything = fc.oneof(schema, fc.jsonValue())
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string({ minLength: 1 }), anything, { maxKeys: 5 }), (message, properties) => {
      const fields = elicitedFields({ type: 'object', properties })
      if (typeof fields === 'string') return
      for (const field of fields) {
        const prompt = questionFor(ids, { ...shown, message, field })
        expect(Check(QuestionPrompt, prompt)).toBe(true)
        expect(prompt.question).toContain('The MCP server “Shop” asks')
        expect(prompt.options.map(({ value }) => value)).toContain('tandem:decline')
      }
    }),
  )
})
