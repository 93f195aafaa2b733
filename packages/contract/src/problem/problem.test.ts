import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { isProblemCode, problemCodes, problems, problemType } from './index.ts'
import { Problem } from './schema.ts'

test('every problem has a stable code, an error status, a title and a remedy of its own', () => {
  const bad = problemCodes.filter((code) => {
    const { status, title, remedy } = problems[code]
    return !/^[a-z][a-z0-9_]*$/.test(code) || status < 400 || status > 599 || title.length < 5 || !/^[A-Z].{10,}\.$/.test(remedy)
  })
  expect(bad).toEqual([])
  expect(new Set(problemCodes.map((code) => problems[code].title)).size).toBe(problemCodes.length)
})

test('every problem has a valid body', () => {
  for (const code of problemCodes) {
    const body = { type: problemType(code), ...problems[code], detail: 'workflow 12 has changed', code, request_id: 'req-1' }
    expect([code, Value.Errors(Problem, body)]).toEqual([code, []])
  }
})

test('a body may have more fields, but only known ones', () => {
  const body: Problem = {
    type: problemType('transition_refused'),
    ...problems.transition_refused,
    detail: 'the task is completed',
    code: 'transition_refused',
    request_id: 'req-2',
    errors: [{ pointer: '/status', message: 'must be one of the allowed states' }],
    limits: [{ name: 'push_changes', limit: 500, actual: 501 }],
    allowed: [],
    current_version: 4,
    retry_after_seconds: 2,
    server_ts: '2026-09-21T07:40:12.345Z',
  }
  expect(Value.Check(Problem, body)).toBe(true)
  expect(Value.Check(Problem, { ...body, stack: 'at x' })).toBe(false)
})

test('names that only look like codes are not codes', () => {
  expect(['not_found', 'toString', '__proto__', ''].map(isProblemCode)).toEqual([true, false, false, false])
})
