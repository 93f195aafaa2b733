import type { WorkflowInput } from '@tandem/contract/workflow'
import { expect, test } from 'vitest'
import { draftOf, readInputs } from './input-values.ts'

const inputs: readonly WorkflowInput[] = [
  { name: 'title', type: 'text', required: true },
  { name: 'language', type: 'text', required: false, default_value: '"French"' },
  { name: 'copies', type: 'number', required: false, default_value: '2' },
  { name: 'quick', type: 'flag', required: false },
  { name: 'options', type: 'json', required: false, default_value: '{"deep":[1]}' },
  { name: 'file', type: 'file', required: true },
]

test('the fields begin with the defaults', () => {
  expect(draftOf(inputs)).toEqual({
    title: '',
    language: 'French',
    copies: '2',
    quick: 'false',
    options: '{\n  "deep": [\n    1\n  ]\n}',
    file: '',
  })
})

test('the fields of a later start begin with its values', () => {
  const draft = draftOf(inputs, { title: 'A', copies: 0, quick: true, options: null })
  expect(draft).toEqual({ title: 'A', language: 'French', copies: '0', quick: 'true', options: '', file: '' })
})

test('each value has the type of its input', () => {
  const read = readInputs(inputs, { title: 'A', language: '', copies: ' 1.5 ', quick: 'true', options: '[null]', file: 'a.md' })
  expect(read).toEqual({
    ok: true,
    inputs: JSON.stringify({ title: 'A', language: '', copies: 1.5, quick: true, options: [null], file: 'a.md' }),
  })
})

test('empty fields are left out', () => {
  const read = readInputs(inputs, { title: '', copies: ' ', quick: 'false', options: '', file: '' })
  expect(read).toEqual({ ok: true, inputs: JSON.stringify({ language: '', quick: false }) })
})

test('all fields that are not valid are named', () => {
  expect(readInputs(inputs, { copies: 'two', options: '{' })).toEqual({
    ok: false,
    fields: [
      { field: 'inputs.copies', message: 'must be a number' },
      { field: 'inputs.options', message: 'must be valid JSON' },
    ],
  })
})
