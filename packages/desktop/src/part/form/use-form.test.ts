import { expect, test } from 'vitest'
import { errorAt, type FormProblem, hasErrorOutside } from './use-form.ts'

const problem = (fields: FormProblem['fields'], code: FormProblem['code'] = 'invalid_params'): FormProblem => ({
  code,
  message: 'it is not valid',
  remedy: 'Try again.',
  ...(fields ? { fields } : {}),
})

test.each<[string, string, string | null]>([
  ['name', 'name', 'Must not be empty.'],
  ['policy.rate_limit', 'policy.rate_limit', 'Must not be empty.'],
  ['hosts[2]', 'hosts', 'Line 3 must not be empty.'],
  ['server.args[0]', 'server.args', 'Line 1 must not be empty.'],
  ['identity.role', 'identity', 'Must not be empty.'],
  ['names', 'name', null],
  ['name', 'names', null],
])('an error at %s is shown at %s as %s', (at, field, shown) => {
  expect(errorAt(problem([{ field: at, message: 'must not be empty' }]), field)).toBe(shown)
})

test('a reason other than an invalid value is shown with its remedy', () => {
  const fields = [{ field: 'password', message: 'is not the current password of the account' }]
  expect(errorAt(problem(fields, 'wrong_password'), 'password')).toBe('Is not the current password of the account. Try again.')
})

test('an error that no field shows is shown at the end of the form', () => {
  const both = problem([
    { field: 'name', message: 'x' },
    { field: 'other', message: 'x' },
  ])
  const name = problem([{ field: 'name', message: 'x' }])
  const shown = new Set(['name', 'hosts'])
  expect(
    [both, name, problem(undefined), problem([{ field: 'hosts[1]', message: 'x' }])].map((one) => hasErrorOutside(one, shown)),
  ).toEqual([true, false, true, false])
})
