import { expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import { faultOf, instant, json, refuseFaults, text } from './fault.ts'

test('accepts only times that exist', () => {
  const moments = ['2026-02-28T00:00:00.000Z', '2024-02-29T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '0100-01-01T00:00:00.000Z']
  const none = [
    '2026-02-30T00:00:00.000Z',
    '2026-02-29T00:00:00.000Z',
    '2026-04-31T12:00:00.000Z',
    '0000-01-01T00:00:00.000Z',
    '0099-12-31T23:59:59.999Z',
  ]
  expect(moments.map(instant)).toEqual(moments.map(() => undefined))
  expect(none.map(instant)).toEqual(none.map(() => 'must be a valid UTC timestamp'))
})

test('text without U+0000, and valid JSON', () => {
  expect(['', 'a\u0001\u{1f600}', 'a\0b'].map(text)).toEqual([undefined, undefined, 'must not contain the character U+0000'])
  expect(['{}', ' null ', '"\\u0000"', '', '{a:1}', 'a\0b'].map((value) => json(value) === undefined)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('every fault is listed, the first one is the detail, and absent values have none', () => {
  const faults = [...faultOf(text, '/a', '\0'), ...faultOf(json, '/b', undefined), ...faultOf(json, '/c', '{')]
  expect(() => refuseFaults([])).not.toThrow()
  expect(() => refuseFaults(faults)).toThrow(
    new Refusal('invalid_request', '`a` must not contain the character U+0000', {
      errors: [
        { pointer: '/a', message: 'must not contain the character U+0000' },
        { pointer: '/c', message: 'must be valid JSON' },
      ],
    }),
  )
})
