import { expect, test } from 'vitest'
import { raiseOf } from './raise-of.ts'

test('minutes become seconds, and empty fields are left out', () => {
  expect(raiseOf({ tokens: ' 500000 ', turns: '', minutes: '30' })).toEqual({ ok: true, value: { tokens: 500_000, seconds: 1_800 } })
})

test.each([
  [{ tokens: '', turns: '', minutes: '' }, undefined],
  [{ tokens: '1.5', turns: '', minutes: '' }, 'tokens'],
  [{ tokens: '', turns: '0', minutes: '' }, 'turns'],
  [{ tokens: '', turns: '', minutes: '-3' }, 'seconds'],
  [{ tokens: '12345678901', turns: '', minutes: '' }, 'tokens'],
])('%j is refused at its field', (texts, field) => {
  const raised = raiseOf(texts)
  expect(raised.ok ? 'accepted' : raised.problem.fields?.[0]?.field).toBe(field)
})
