import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolPolicyEntityId } from '@tandem/contract/entity'
import { type ApprovalRule, defaultToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openRecords, type Records } from '../store/records.ts'
import { openStore, type Store } from '../store/store.ts'
import { rulesOf } from './approval-rules.ts'
import { openLocalRules, openPolicies, type Policies } from './policies.ts'

const folder: ApprovalRule = { kind: 'path', path: '/srv/reports' }
const inFolder: ApprovalRule = { kind: 'command', words: ['make'], folder: '/srv/reports' }
const host: ApprovalRule = { kind: 'host', host: 'example.org', does: 'fetch' }
let home: string
let store: Store
let records: Records
let policies: Policies

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-rules-'))
  store = openStore({ home, clock: testClock() })
  records = openRecords(store)
  policies = openPolicies(records, openLocalRules(store), () => null)
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const travelling = () => records.list('agent_tool_policies').map(({ payload }) => payload.remembered)

test('rules about folders stay on the device; other rules are synchronized with the policy', () => {
  policies.remember('a', 'fs.write', [folder])
  expect([policies.of('a', 'fs.write').remembered, travelling()]).toEqual([[folder], []])
  policies.remember('a', 'fs.write', [host, inFolder])
  policies.remember('a', 'fs.write', [host, folder])
  expect([policies.of('a', 'fs.write').remembered, travelling()]).toEqual([[host, folder, inFolder], [[host]]])
  expect(policies.list('a').map(({ tool, remembered }) => [tool, remembered])).toEqual([['fs.write', [host, folder, inFolder]]])
  expect(policies.list('b')).toEqual([])
})

test('a folder that was approved on another device is not approved here', () => {
  const policy = defaultToolPolicy('fs.write')
  records.put('agent_tool_policies', toolPolicyEntityId('a', 'fs.write'), {
    agent_id: 'a',
    tool: 'fs.write',
    policy,
    remembered: [folder, host],
  })
  expect(policies.of('a', 'fs.write').remembered).toEqual([host])
})

test('setting a policy keeps its rules, setting rules replaces them, and a reset removes them all', () => {
  const policy = { ...defaultToolPolicy('fs.write'), enabled: false }
  policies.remember('a', 'fs.write', [folder, host])
  policies.set('a', 'fs.write', policy)
  expect(policies.of('a', 'fs.write')).toEqual({ policy, remembered: [host, folder], source: 'set' })
  policies.set('a', 'fs.write', policy, [inFolder])
  expect(policies.of('a', 'fs.write').remembered).toEqual([inFolder])
  expect([policies.reset('a', 'fs.write'), policies.reset('a', 'fs.write')]).toEqual([true, false])
  expect(policies.of('a', 'fs.write')).toMatchObject({ remembered: [], source: 'default' })
})

test('rules are listed with an id and revoked one by one; older rules that could not be granted now are marked', () => {
  const git: ApprovalRule = { kind: 'command', words: ['git', 'status'], instructions: 'a'.repeat(64) }
  const older: ApprovalRule = { kind: 'command', words: ['curl', 'x'], folder: '/srv' }
  const ungrantable: ApprovalRule = { kind: 'command', words: ['npm', 'test'], folder: '/srv' }
  policies.remember('a', 'shell.exec', [git, older, ungrantable, { kind: 'tool' }])
  policies.remember('a', 'fs.write', [folder, host])
  const listed = () => rulesOf(policies, 'a').map(({ tool, rule, applies }) => [tool, rule, applies])
  expect(listed()).toEqual([
    ['fs.write', host, true],
    ['fs.write', folder, true],
    ['shell.exec', { kind: 'tool' }, false],
    ['shell.exec', git, true],
    ['shell.exec', older, false],
    ['shell.exec', ungrantable, false],
  ])
  const ids = rulesOf(policies, 'a').map(({ rule_id }) => rule_id)
  expect([new Set(ids).size, rulesOf(policies, 'a').map(({ rule_id }) => rule_id)]).toEqual([6, ids])
  expect([policies.revoke('a', 'fs.write', host), policies.revoke('a', 'fs.write', host)]).toEqual([true, false])
  expect(policies.revoke('a', 'shell.exec', older)).toBe(true)
  expect(policies.revoke('b', 'shell.exec', git)).toBe(false)
  expect(listed().map(([, rule]) => rule)).toEqual([folder, { kind: 'tool' }, git, ungrantable])
})
