import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toolPolicyEntityId } from '@tandem/contract/entity'
import { type ApprovalRule, defaultToolPolicy } from '@tandem/contract/tool'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openRecords, type Records } from '../store/records.ts'
import { openStore, type Store } from '../store/store.ts'
import { openLocalRules, openPolicies, type Policies } from './policies.ts'

const folder: ApprovalRule = { kind: 'path', path: '/srv/reports' }
const host: ApprovalRule = { kind: 'host', host: 'example.org', does: 'fetch' }
const other: ApprovalRule = { kind: 'host', host: 'other.example', does: 'send' }
const unseen = { granted_at: null, conversation_id: null, last_used_at: null, uses: 0 }
const clock = testClock()
let home: string
let store: Store
let records: Records
let policies: Policies

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-uses-'))
  store = openStore({ home, clock })
  records = openRecords(store)
  policies = openPolicies(records, openLocalRules(store), () => null)
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const useOf = (rule: ApprovalRule, tool = 'fs.write') => policies.uses.of('a', tool, rule)

/** A policy as the synchronization stores it. */
function arrive(remembered: ApprovalRule[]): void {
  const policy = defaultToolPolicy('fs.write')
  records.put('agent_tool_policies', toolPolicyEntityId('a', 'fs.write'), { agent_id: 'a', tool: 'fs.write', policy, remembered })
  store.sql.run`UPDATE records SET device_id = 'elsewhere' WHERE entity_type = 'agent_tool_policies'`
}

test('the first grant counts, every use counts, and other tools and agents have their own', () => {
  const granted_at = clock.now()
  policies.remember('a', 'fs.write', [folder, host], 'conversation')
  expect(useOf(folder)).toEqual({ ...unseen, granted_at, conversation_id: 'conversation', granted_on: 'this_device' })
  clock.advance(1_000)
  policies.remember('a', 'fs.write', [folder], 'later')
  policies.uses.used('a', 'fs.write', [folder])
  clock.advance(1_000)
  policies.uses.used('a', 'fs.write', [folder, host])
  const granted = { granted_at, conversation_id: 'conversation', granted_on: 'this_device', last_used_at: clock.now() }
  expect([useOf(folder), useOf(host)]).toEqual([
    { ...granted, uses: 2 },
    { ...granted, uses: 1 },
  ])
  expect([useOf(folder, 'fs.move'), policies.uses.of('b', 'fs.write', folder)]).toEqual([
    { ...unseen, granted_on: 'unknown' },
    { ...unseen, granted_on: 'unknown' },
  ])
})

test('a rule that was granted again after its removal starts anew', () => {
  policies.remember('a', 'fs.write', [folder, host], 'first')
  policies.uses.used('a', 'fs.write', [folder, host])
  for (const rule of [folder, host]) policies.revoke('a', 'fs.write', rule)
  expect([useOf(folder).uses, useOf(host).granted_at]).toEqual([0, null])
  clock.advance(1_000)
  policies.remember('a', 'fs.write', [folder], 'second')
  expect(useOf(folder)).toEqual({ ...unseen, granted_at: clock.now(), conversation_id: 'second', granted_on: 'this_device' })
  policies.reset('a', 'fs.write')
  expect(useOf(folder).granted_at).toBe(null)
})

test('a rule of another device says so, also after this device has added a rule and used both', () => {
  arrive([host])
  expect(useOf(host)).toEqual({ ...unseen, granted_on: 'another_device' })
  policies.uses.used('a', 'fs.write', [host])
  expect(useOf(host)).toEqual({ ...unseen, granted_on: 'another_device', last_used_at: clock.now(), uses: 1 })
  policies.remember('a', 'fs.write', [other], 'here')
  expect([useOf(host).granted_on, useOf(other).granted_on]).toEqual(['another_device', 'this_device'])
})

test('a rule that is older than these records has an unknown origin', () => {
  policies.remember('a', 'fs.write', [folder, host], 'here')
  store.sql.run`DELETE FROM approval_rule_uses`
  expect([useOf(folder).granted_on, useOf(host).granted_on]).toEqual(['unknown', 'unknown'])
})
