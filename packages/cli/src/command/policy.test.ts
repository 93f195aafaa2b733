import { expect, test } from 'vitest'
import { changeOf } from './policy.ts'

test('each field of a policy has its words', () => {
  expect(
    changeOf({
      enabled: 'no',
      'approval-mode': 'manual_each_call',
      'rate-limit': '5/60',
      'time-limit': '30',
      host: ['example.org', '*.example.net'],
      root: ['src'],
    }),
  ).toEqual({
    enabled: false,
    approval_mode: 'manual_each_call',
    rate_limit: { calls: 5, per_seconds: 60 },
    time_limit: { seconds: 30 },
    network_scope: { hosts: ['example.org', '*.example.net'] },
    fs_scope: { roots: ['src'], globs: ['**'] },
  })
  expect(changeOf({ 'no-network': true })).toEqual({ network_scope: { hosts: [] } })
  expect(changeOf({})).toEqual({})
})

test.each([
  [{ enabled: 'true' }, '--enabled is yes or no'],
  [{ 'approval-mode': 'ask' }, '--approval-mode is one of auto, required, manual_each_call, deny'],
  [{ 'rate-limit': '0/60' }, '--rate-limit is calls and seconds: 30/60'],
  [{ 'time-limit': '1m' }, '--time-limit is a number of seconds'],
  [{ host: ['a'], 'no-network': true }, '--host and --no-network say opposite things'],
])('%j is refused with what it should be', (said, why) => {
  expect(changeOf(said)).toBe(why)
})
