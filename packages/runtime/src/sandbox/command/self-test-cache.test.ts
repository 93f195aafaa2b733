import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import type { SandboxReport } from './self-test.ts'
import { openSelfTestCache } from './self-test-cache.ts'

const held: SandboxReport = {
  state: 'enforced',
  backend: 'sandbox-runtime',
  checks: [{ name: 'runs', held: true, detail: 'it ran' }],
  detail: '',
  remedy: '',
}
const hour_ms = 60 * 60 * 1_000
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-proof-'))
})
afterEach(() => rmSync(home, { recursive: true }))

test('a passed self-test is remembered for a day, only for its owner, on the unchanged machine', () => {
  const clock = testClock()
  openSelfTestCache({ home, clock }).remember(held)
  expect(statSync(join(home, 'sandbox.json')).mode & 0o777).toBe(0o600)
  const again = openSelfTestCache({ home, clock })
  // On other systems than Linux nothing is remembered.
  const expected = process.platform === 'linux' ? held : null
  expect(again.remembered()).toEqual(expected)
  clock.advance(23 * hour_ms)
  expect(again.remembered()).toEqual(expected)
  clock.advance(2 * hour_ms)
  expect(again.remembered()).toBe(null)
})

test.each([
  ['another kernel, program or user', 'other', null],
  ['a machine that cannot be identified', null, null],
  ['the same machine', 'ground', held],
])('on %s', (_name, later, expected) => {
  const clock = testClock()
  openSelfTestCache({ home, clock, grounds: () => 'ground' }).remember(held)
  expect(openSelfTestCache({ home, clock, grounds: () => later }).remembered()).toEqual(expected)
})

test('a failed self-test is not remembered, and a forged record of one is not accepted', () => {
  const options = { home, clock: testClock(), grounds: () => 'ground' }
  const proof = openSelfTestCache(options)
  proof.remember({ ...held, state: 'failed' })
  expect(proof.remembered()).toBe(null)
  for (const text of [
    '',
    '{',
    '{}',
    '[]',
    'null',
    JSON.stringify({ grounds: 'ground', proven_at: options.clock.now(), report: { state: 'failed' } }),
  ]) {
    writeFileSync(join(home, 'sandbox.json'), text)
    expect(proof.remembered()).toBe(null)
  }
})

test('a record from the future is not accepted', () => {
  const clock = testClock()
  const proof = openSelfTestCache({ home, clock, grounds: () => 'ground' })
  proof.remember(held)
  clock.set(clock.now() - hour_ms)
  expect(proof.remembered()).toBe(null)
})
