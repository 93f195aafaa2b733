import type { WorkflowDefinition } from '@tandem/contract/workflow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkInputs } from './inputs.ts'

const inputs: WorkflowDefinition['inputs'] = [
  { name: 'name', type: 'text', required: true },
  { name: 'count', type: 'number', required: false, default_value: '3' },
  { name: 'needed', type: 'flag', required: true, default_value: 'false' },
  { name: 'data', type: 'json', required: false },
]

test('what is given, with the defaults of the rest', () => {
  expect(checkInputs({ inputs }, { name: 'a' })).toEqual({ ok: true, inputs: { name: 'a', count: 3, needed: false, data: null } })
  expect(checkInputs({ inputs }, { name: '', count: 0, needed: true, data: [1] })).toEqual({
    ok: true,
    inputs: { name: '', count: 0, needed: true, data: [1] },
  })
})

test('all mistakes at once', () => {
  const result = checkInputs({ inputs }, { count: 'x', other: 1 })
  expect(result.ok ? [] : result.issues.map(({ name }) => name)).toEqual(['other', 'name', 'count'])
  expect(checkInputs({ inputs: [] }, { a: 1 })).toEqual({ ok: false, issues: [{ name: 'a', message: 'the workflow has no inputs' }] })
})

test('only own fields count, whatever they are called', () => {
  expect(checkInputs({ inputs: [{ name: 'constructor', type: 'text', required: true }] }, {})).toEqual({
    ok: false,
    issues: [{ name: 'constructor', message: 'is required' }],
  })
  expect(checkInputs({ inputs: [] }, JSON.parse('{"__proto__":1}'))).toMatchObject({ ok: false, issues: [{ name: '__proto__' }] })
})

test('what is accepted has exactly the inputs of the workflow, and is accepted again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('name', 'count', 'needed', 'data', 'other', '__proto__'), fc.jsonValue()), (given) => {
      const checked = checkInputs({ inputs }, given)
      if (!checked.ok) {
        expect(checked.issues.length).toBeGreaterThan(0)
        return
      }
      expect(Object.keys(checked.inputs)).toEqual(inputs.map(({ name }) => name))
      expect(checkInputs({ inputs }, checked.inputs)).toEqual(checked)
    }),
  )
})
