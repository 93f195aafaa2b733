import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectCards } from '@tandem/contract/card'
import type { McpServerState } from '@tandem/contract/mcp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestClock, testClock } from '../../test/support/clock/test-clock.ts'
import { hostileServer } from '../../test/support/mcp/test-mcp.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { openStore, type Store } from '../store/store.ts'
import { mcpLimits } from './limits.ts'
import type { SessionScope } from './ports.ts'
import { openRunStatus, type ServerStatusReporter } from './run-status.ts'
import { fullScope } from './server-scope.ts'

const server = hostileServer('good')
const here: SessionScope = { workspace: '/here', sandbox_mode: 'workspace', ...fullScope }

let home: string
let clock: TestClock
let store: Store
let journal: Journal
let status: ServerStatusReporter
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-status-'))
  clock = testClock()
  store = openStore({ home, clock })
  const bus = openBus((error) => {
    throw error
  })
  journal = openJournal(store, openEvents(store, bus), bus)
  status = openRunStatus({ clock, device_id: store.device_id, journal, isUsedBy: (_, agent_id) => agent_id === 'user' })
})
afterEach(() => {
  status.stop()
  store.close()
  rmSync(home, { recursive: true, force: true })
})

function start(agent_id = 'user', workspace = '/here', sandbox_mode: 'trusted' | 'workspace' | 'strict' = 'workspace'): string {
  const { no } = journal.conversations.create({ agent_id, title: 'A', workspace })
  return journal.start({ conversation: no, agent_id, title: 'A', model: 'm', sandbox_mode, message_id: null }).run_id
}

let at: McpServerState = 'connected'
function move(to_state: McpServerState, place = here, message?: string): void {
  const details = { message: message ?? '' }
  status.changed(server, place, {
    data: { server_id: 'hostile', from_state: at, to_state, heartbeat_at: null, next_reconnect_at: null },
    ...(message === undefined
      ? {}
      : {
          failure_contract: { taxonomy: 'none', stage: 'mcp', source: 'mcp', reason_code: 'gone', recoverability: 'retryable', details },
        }),
  })
  at = to_state
}
beforeEach(() => {
  at = 'connected'
})

const told = (run_id: string) => journal.steps(run_id).flatMap(({ step }) => (step.kind === 'mcp.status' ? [step] : []))
const canceled = {
  kind: 'run.canceled' as const,
  usage: { input_tokens: 0, output_tokens: 0, cached_tokens: 0, estimated: false },
  reason: null,
}
const states = (run_id: string) => told(run_id).map(({ state }) => state)

test('a run is notified of each change, and shows one card for it', () => {
  const run_id = start()
  move('disconnected', here, 'it exited')
  move('testing')
  expect(told(run_id).map(({ server_id, name, state, message }) => ({ server_id, name, state, message }))).toEqual([
    { server_id: 'hostile', name: 'The server hostile', state: 'disconnected', message: 'it exited' },
    { server_id: 'hostile', name: 'The server hostile', state: 'testing', message: null },
  ])
  move('connected')
  // Different tools, the same state.
  move('connected')
  const cards = projectCards(journal.steps(run_id).map(({ step }) => step)).filter(({ kind }) => kind === 'McpStatus')
  expect(cards).toMatchObject([{ kind: 'McpStatus', server_id: 'hostile', state: 'connected', message: null }])
  expect(states(run_id)).toEqual(['disconnected', 'testing', 'connected'])
})

test('only runs that are in progress, have its tools, and work where the session does', () => {
  const runs = {
    here: start(),
    trusted: start('user', '/here', 'trusted'),
    strict: start('user', '/here', 'strict'),
    elsewhere: start('user', '/elsewhere'),
    without: start('stranger'),
    paused: start(),
    ended: start(),
  }
  journal.append(runs.paused, { kind: 'run.paused', reason: 'user' })
  journal.append(runs.ended, canceled)
  move('disconnected')
  move('testing', { ...here, workspace: '/elsewhere', sandbox_mode: 'workspace' })
  move('failed', { ...here, workspace: '/here', sandbox_mode: 'strict' })
  expect(Object.fromEntries(Object.entries(runs).map(([name, run_id]) => [name, states(run_id)]))).toEqual({
    here: ['disconnected'],
    trusted: ['disconnected'],
    strict: ['failed'],
    elsewhere: ['testing'],
    without: [],
    paused: [],
    ended: [],
  })
})

test('a paused run that was notified of a problem is also notified of its end, and stays paused', () => {
  const run_id = start()
  move('disconnected')
  journal.append(run_id, { kind: 'run.paused', reason: 'approval' })
  move('testing')
  move('connected')
  expect(states(run_id)).toEqual(['disconnected', 'testing', 'connected'])
  expect(journal.run(run_id)).toMatchObject({ state: 'paused', pause_reason: 'approval' })
})

test('a server that reconnects all the time does not flood the run, and its last state is reported', () => {
  const run_id = start()
  for (let round = 0; round < 1_000; round += 1) for (const state of ['disconnected', 'testing', 'connected'] as const) move(state)
  expect(states(run_id).length).toBe(mcpLimits.told_at_once)
  move('disconnected', here, 'gone for good')
  clock.advance(mcpLimits.told_every_ms - 1)
  expect(states(run_id).length).toBe(mcpLimits.told_at_once)
  clock.advance(1)
  expect(told(run_id).slice(mcpLimits.told_at_once)).toMatchObject([{ state: 'disconnected', message: 'gone for good' }])
  // Away and back within the minute: nothing new.
  move('testing')
  move('disconnected')
  clock.advance(mcpLimits.told_every_ms)
  expect(states(run_id).length).toBe(mcpLimits.told_at_once + 1)
})

test('reports nothing after the end of the run, nor after the stop', () => {
  const [first, second] = [start(), start()]
  for (let round = 0; round < 10; round += 1) for (const state of ['disconnected', 'connected'] as const) move(state)
  move('disconnected')
  status.end(first)
  journal.append(second, canceled)
  clock.advance(mcpLimits.told_every_ms)
  expect([states(first).length, states(second).length]).toEqual([mcpLimits.told_at_once, mcpLimits.told_at_once])
  status.stop()
  move('testing')
  expect(states(first).length).toBe(mcpLimits.told_at_once)
})
