import type { EffectiveToolPolicy } from '@tandem/contract/command'
import { defaultToolPolicy } from '@tandem/contract/tool'
import { expect, test } from 'vitest'
import { parsePolicyChange, policyRow } from './policy.ts'

test('each field of a policy has a syntax', () => {
  expect(
    parsePolicyChange({
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
  expect(parsePolicyChange({ 'no-network': true })).toEqual({ network_scope: { hosts: [] } })
  expect(parsePolicyChange({})).toEqual({})
})

test.each([
  [{ enabled: 'true' }, '--enabled must be yes or no'],
  [{ 'approval-mode': 'ask' }, '--approval-mode must be one of auto, required, manual_each_call, deny'],
  [{ 'rate-limit': '0/60' }, '--rate-limit must be calls/seconds, such as 30/60'],
  [{ 'time-limit': '1m' }, '--time-limit must be a number of seconds'],
  [{ host: ['a'], 'no-network': true }, '--host and --no-network contradict each other'],
])('%j is refused, with what is expected', (said, why) => {
  expect(parsePolicyChange(said)).toBe(why)
})

test('a row names the layers that change what is configured, and those that are ignored', () => {
  const policy = defaultToolPolicy('web.fetch')
  const configured = { name: 'configured policy', kind: 'configured' as const, changes: [] }
  const strict = { name: 'sandbox mode strict', kind: 'mode' as const, changes: ['network_scope' as const] }
  const canary = { name: 'canary', kind: 'overlay' as const, changes: ['approval_mode' as const] }
  const shown = (layers: EffectiveToolPolicy['layers']) => {
    const in_force = { ...policy, sandbox_mode: 'strict' as const }
    return policyRow({ agent_id: 'a', tool: 'web.fetch', policy, remembered: [], source: 'default', in_force, layers })
  }
  const row = ['web.fetch', 'required', 'network *', 'files .', 'default', '']
  expect(shown({ in_force: [configured], ignored: [] })).toEqual([...row, ''])
  expect(shown({ in_force: [configured, strict], ignored: [canary] })).toEqual([
    ...row,
    'changed by sandbox mode strict (network_scope); ignored: canary (approval_mode)',
  ])
})
