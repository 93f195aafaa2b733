// A device of the simulation: the real store in a real file, the real journal and engine, and a user who writes.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@tandem/contract/agent'
import type { McpServer } from '@tandem/contract/mcp'
import type { SkillBinding } from '@tandem/contract/skill'
import type { TodoItem } from '@tandem/contract/sync'
import { timestamp } from '../../../src/clock/clock.ts'
import type { FillRandom } from '../../../src/clock/id.ts'
import { openBus } from '../../../src/event/bus.ts'
import { openEvents } from '../../../src/event/events.ts'
import { type Journal, openJournal } from '../../../src/journal/journal.ts'
import { openRecords, type Records } from '../../../src/store/records.ts'
import { openStore, type Store } from '../../../src/store/store.ts'
import { type Engine, type EnginePorts, openEngine } from '../../../src/sync/engine.ts'
import type { SyncCloud } from '../../../src/sync/transport/cloud.ts'
import { type TestClock, testClock } from '../clock/test-clock.ts'

export class ProcessKilled extends Error {}

/** What an injected bug may replace. */
export type InjectedBug = (ports: EnginePorts) => EnginePorts

export interface TestDevice {
  readonly name: string
  readonly clock: TestClock
  store(): Store
  engine(): Engine
  journal(): Journal
  records(): Records
  /** Dies after this many statements. */
  killAfter(statements: number): void
  /** Kills the process, whatever it was doing, and restarts it. */
  restart(): void
  dispose(): void
}

export function testDevice(
  name: string,
  start: number,
  cloud: (device: () => Store) => SyncCloud,
  planted: InjectedBug = (ports) => ports,
  fill?: FillRandom,
): TestDevice {
  const home = mkdtempSync(join(tmpdir(), 'tandem-sync-'))
  const clock = testClock(start)
  writeFileSync(join(home, 'tandem.db'), emptyStore())
  // Ties are broken by the device's name, so it must follow from the seed.
  const first = openStore({ home, clock, ...(fill && { fill }) })
  first.sql.get`PRAGMA synchronous = OFF`
  first.sql.run`UPDATE meta SET value = ${name} WHERE name = 'device_id'`
  first.close()
  let life = open()

  function open() {
    const real = openStore({ home, clock, ...(fill && { fill }) })
    // Dying means closing the handle here, so it is not necessary to wait for the disk.
    real.sql.get`PRAGMA synchronous = OFF`
    const death = { left: Number.POSITIVE_INFINITY, dead: false }
    const store = mortal(real, death)
    const bus = openBus((error) => {
      throw error
    })
    const journal = openJournal(store, openEvents(store, bus), bus)
    const engine = openEngine(planted({ store, cloud: cloud(() => store), pageRows: 7, batchChanges: 9 }))
    return { real, death, store, journal, engine, records: openRecords(store) }
  }

  function end(): void {
    life.death.dead = true
    life.real.close()
  }

  return {
    name,
    clock,
    store: () => life.store,
    engine: () => life.engine,
    journal: () => life.journal,
    records: () => life.records,
    killAfter(statements) {
      life.death.left = statements
    },
    restart() {
      end()
      life = open()
    },
    dispose() {
      end()
      rmSync(home, { recursive: true })
    },
  }
}

/** One that makes no requests to the cloud. */
export function offlineDevice(start = 0): TestDevice {
  return testDevice('d', start, () => ({ push: unasked, pull: unasked }))
}

async function unasked(): Promise<never> {
  throw new Error('no cloud is asked here')
}

let kept: Buffer | null = null

/** Created once: thousands of devices start with the same tables. */
function emptyStore(): Buffer {
  if (kept) return kept
  const home = mkdtempSync(join(tmpdir(), 'tandem-sync-'))
  openStore({ home, clock: testClock() }).close()
  kept = readFileSync(join(home, 'tandem.db'))
  rmSync(home, { recursive: true })
  return kept
}

/** Any statement may be the last. */
function mortal(store: Store, death: { left: number; dead: boolean }): Store {
  const pass = <Call extends (...args: never[]) => unknown>(call: Call): Call =>
    ((...args: never[]) => {
      death.left -= 1
      if (death.left <= 0) death.dead = true
      if (death.dead) throw new ProcessKilled('killed')
      return call(...args)
    }) as unknown as Call
  const { sql } = store
  const bound = { run: sql.run.bind(sql), get: sql.get.bind(sql), all: sql.all.bind(sql) }
  const statements = { run: pass(bound.run), get: pass(bound.get), all: pass(bound.all) }
  return {
    ...store,
    sql: statements as unknown as Store['sql'],
    transaction: pass(store.transaction),
    applying: pass(store.applying),
  }
}

export function agentNamed(name: string): Agent {
  return {
    name,
    description: '',
    identity: { role: 'helper', tone: null },
    instructions: '',
    model: null,
    temperature: null,
    max_turns: 10,
    sandbox_mode: 'workspace',
    avatar: null,
    archived: false,
    created_at: '2026-01-01T00:00:00.000Z',
  }
}

export function todoItem({ stamps }: Store, id: string, title: string, state: TodoItem['state']): TodoItem {
  return { id, title, state, state_ts: timestamp(stamps.next()) }
}

export function bindingOf(name: string): SkillBinding {
  return {
    agent_id: name,
    skill_name: 'letters',
    binding_policy: 'always',
    source: 'user',
    recommendation_id: null,
    pinned_sha256: null,
    bound_at: '2026-01-01T00:00:00.000Z',
  }
}

export function serverNamed(name: string): McpServer {
  return {
    server_id: 's1',
    name,
    enabled: true,
    auto_reconnect: false,
    default_approval_mode: 'required',
    transport: 'stdio',
    command: 'server',
    args: [],
    env_names: [],
    working_directory: null,
  }
}
