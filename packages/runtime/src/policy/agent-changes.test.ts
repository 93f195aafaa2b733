import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openStore, type Store } from '../store/store.ts'
import { type AgentChanges, openAgentChanges } from './agent-changes.ts'

let home: string
let store: Store
let changes: AgentChanges
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-changes-'))
  store = openStore({ home, clock: testClock() })
  changes = openAgentChanges(store)
})
afterEach(() => {
  store.close()
  rmSync(home, { recursive: true })
})

const now = () => store.clock.now()
/** `long ago`: last changed a minute before any call. */
const file = (path: string, changed_at = now()) => ({ path, real: path, changed_at })
const among = (...files: readonly ReturnType<typeof file>[]) => changes.among(files).map(({ path, how }) => [path, how])

test('declared paths of a call count as changed from its start', () => {
  changes.begin('c1', ['/w/package.json'], null)
  expect(among(file('/w/package.json', 0), file('/w/Makefile'))).toEqual([['/w/package.json', 'changed']])
  expect(changes.among([{ path: '/w/link', real: '/w/package.json', changed_at: 0 }])).toEqual([{ path: '/w/link', how: 'changed' }])
})

test('while a command runs, or if its end was not recorded, everything below its folder may have changed', () => {
  changes.begin('c1', [], '/w')
  const longAgo = now() - 60_000
  expect(among(file('/w/a'), file('/w/b', longAgo), file('/other/a'))).toEqual([['/w/a', 'unlisted']])
  // Another runtime with the same folder knows this too.
  expect(openAgentChanges(store).among([file('/w/a')])).toEqual([{ path: '/w/a', how: 'unlisted' }])
})

test('after a command, listed paths and unlisted folders count as changed', () => {
  changes.begin('c1', [], '/w')
  changes.end('c1', ['/w/Makefile'], [])
  expect(among(file('/w/a'), file('/w/Makefile', 0))).toEqual([['/w/Makefile', 'changed']])
  changes.begin('c2', [], '/w')
  changes.end('c2', [], [{ below: '/w', except: '/w/seen' }])
  expect(among(file('/w/a'), file('/w/seen/a'))).toEqual([['/w/a', 'unlisted']])
})

test('a folder that was moved counts as a whole, however old its files are', () => {
  changes.moved(['/w/scripts'])
  expect(among(file('/w/scripts/a.sh', 0), file('/w/a.sh'))).toEqual([['/w/scripts/a.sh', 'unlisted']])
})

test('what was approved stays approved', () => {
  expect(changes.isApproved('d')).toBe(false)
  changes.approve(['d'])
  changes.approve(['d'])
  expect([changes.isApproved('d'), changes.isApproved('e')]).toEqual([true, false])
})
