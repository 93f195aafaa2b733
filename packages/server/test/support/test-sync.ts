// Pushing and pulling on a real PostgreSQL, with replies checked against the contract and a test clock.
import { randomUUID } from 'node:crypto'
import type { Change, PullQuery, PullReply, PushReply } from '@tandem/contract/sync'
import { PullReply as PullReplySchema, PushReply as PushReplySchema } from '@tandem/contract/sync/schema'
import type { ServerMessage } from '@tandem/contract/ws'
import { Compile } from 'typebox/compile'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { pushDevices } from '../../src/device/store.ts'
import { pull } from '../../src/sync/pull.ts'
import { push } from '../../src/sync/push.ts'
import { testDatabase } from './test-database.ts'

export interface TestSync extends AsyncDisposable {
  readonly database: Database
  readonly told: { user_id: string; message: ServerMessage }[]
  /** Added to the time of the server. */
  pass(milliseconds: number): void
  user(): TestUser
}

export interface TestUser {
  readonly user_id: string
  /** Anything may be pushed; only valid changes have the type of a change. */
  push(deviceId: string, changes: readonly object[], database?: Database): Promise<PushReply>
  pull(query?: PullQuery): Promise<PullReply>
  /** Every page until the last. */
  pullAll(query?: PullQuery): Promise<{ changes: Change[]; pages: PullReply[]; cursor_ts: string }>
}

export const epoch = '5b0c4f5e-2f0e-4c53-8a4f-0d9a3f3f6f11'
const pushReply = Compile(PushReplySchema)
const pullReply = Compile(PullReplySchema)

export async function testSync(options: { connections?: number; max_record_bytes?: number } = {}): Promise<TestSync> {
  const test = await testDatabase()
  const database = await openDatabase({ ...test.target, max_connections: options.connections ?? 5 }, () => undefined)
  await database.owner`update tandem.server_epoch set epoch = ${epoch}`
  const told: TestSync['told'] = []
  let passed = 0
  const ports = {
    database,
    devices: pushDevices,
    max_record_bytes: options.max_record_bytes ?? 5_368_709_120,
    now: () => Date.now() + passed,
    hub: {
      sockets: 0,
      tell: (user_id: string, message: ServerMessage) => void told.push({ user_id, message }),
      endSessions: () => undefined,
    },
  }

  function user(): TestUser {
    const user_id = randomUUID()
    const one: TestUser = {
      user_id,
      async push(device_id, changes, through = database) {
        const text = await push({ ...ports, database: through }, user_id, { device_id, changes: changes as Change[] })
        return pushReply.Parse(JSON.parse(text))
      },
      async pull(query = {}) {
        return pullReply.Parse(JSON.parse(String(await pull(ports, user_id, query))))
      },
      async pullAll(query = {}) {
        const pages: PullReply[] = []
        let next = query
        for (;;) {
          const page = await one.pull(next)
          pages.push(page)
          if (!page.has_more) return { changes: pages.flatMap(({ changes }) => changes), pages, cursor_ts: page.cursor_ts }
          // As a device stores it: as a Date.
          const cursor_ts = new Date(page.cursor_ts).toISOString()
          next = { ...next, cursor_ts, ...(page.snapshot_ts && { snapshot_ts: page.snapshot_ts }) }
        }
      },
    }
    return one
  }

  async function close(): Promise<void> {
    await database.close()
    await test.close()
  }

  function pass(milliseconds: number): void {
    passed += milliseconds
  }

  return { database, told, pass, user, [Symbol.asyncDispose]: close }
}
