// Random pushes of random devices, compared with the simplest correct model: a map and the contract's merge.

import { hash } from 'node:crypto'
import {
  type Change,
  type ChangePayload,
  canonicalJson,
  compareWriteMetadata,
  contentText,
  type EntityType,
  type EntityWrite,
  merge,
} from '@tandem/contract/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestSync, testSync } from '../../test/support/test-sync.ts'

let sync: TestSync
beforeAll(async () => {
  sync = await testSync()
})
afterAll(async () => await sync[Symbol.asyncDispose]())

const seed = Number(process.env.TANDEM_SEED)
const time = fc.integer({ min: 0, max: 5 }).map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString())
const item = fc.record({ id: fc.constantFrom('1', '2', '3'), state_ts: time, state: fc.constantFrom('pending', 'completed', 'deleted') })
const text = fc.oneof(fc.constantFrom('a', 'b'), fc.string({ unit: 'binary', maxLength: 3 }))
const opaque = fc.dictionary(fc.constantFrom('name', '__proto__', 'é'), fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })))
const marks = { entity_id: fc.constantFrom('x', 'y'), version: fc.integer({ min: 1, max: 2 }), updated_at: time, source_ts: time }
const op = fc.oneof({ weight: 4, arbitrary: fc.constant('upsert' as const) }, { weight: 1, arbitrary: fc.constant('delete' as const) })

const one: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ ...marks, op, entity_type: fc.constantFrom<EntityType>('messages', 'agents', 'mcp_servers'), payload: opaque }),
  fc.record({
    ...marks,
    op,
    entity_type: fc.constant<EntityType>('todos'),
    payload: fc.record({ todos: fc.array(item, { maxLength: 4 }) }),
  }),
)
const pushes = fc.array(fc.record({ device: fc.constantFrom('a', 'b', 'c'), changes: fc.array(one, { maxLength: 6 }) }), { maxLength: 6 })

interface Held {
  readonly change: Change
  readonly write: EntityWrite
}

/** The state after the pushes, and whether each change had an effect. */
class Oracle {
  readonly held = new Map<string, Held>()

  push(device_id: string, changes: readonly Change[]): string[] {
    return changes.map((sent) => {
      const key = `${sent.entity_type}/${sent.entity_id}`
      const before = this.held.get(key)
      const write = writeOf(sent, device_id)
      const outcome = merge(sent.entity_type, before?.write, write)
      const next =
        outcome.verdict === 'applied'
          ? { change: sent, write }
          : outcome.verdict === 'merged' && outcome.changed
            ? union(before, { change: sent, write }, outcome.todos)
            : undefined
      if (next) {
        this.held.delete(key)
        this.held.set(key, next)
      }
      return outcome.verdict
    })
  }
}

function union(before: Held | undefined, sent: Held, todos: readonly object[]): Held {
  const later = before && compareWriteMetadata(before.write, sent.write) > 0 ? before : sent
  const change = { ...later.change, payload: { ...later.change.payload, todos } }
  return { change, write: writeOf(change, later.write.device_id) }
}

function writeOf({ op, version, updated_at, payload }: Change, device_id: string): EntityWrite {
  const items = itemsOf(payload)
  return { op, version, updated_at, device_id, content_hash: hash('sha256', contentText(op, payload)), ...(items && { todos: items }) }
}

function itemsOf({ todos }: ChangePayload): EntityWrite['todos'] {
  return Array.isArray(todos) ? todos : undefined
}

test(`a pull returns what the rules alone would keep (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(pushes, fc.integer({ min: 1, max: 4 }), async (rounds, limit) => {
      const user = sync.user()
      const oracle = new Oracle()
      const mirror = new Map<string, string>()
      let cursor: string | undefined
      for (const { device, changes } of rounds) {
        const { verdicts } = await user.push(device, changes)
        expect(verdicts.map(({ verdict }) => verdict)).toEqual(oracle.push(device, changes))
        const page = await user.pull({ limit, ...(cursor && { cursor_ts: cursor }) })
        cursor = page.cursor_ts
        for (const pulled of page.changes) mirror.set(`${pulled.entity_type}/${pulled.entity_id}`, canonicalJson(pulled))
      }
      const expected = [...oracle.held.values()].map(({ change }) => canonicalJson(change))
      const whole = await user.pullAll({ limit })
      expect(whole.changes.map(canonicalJson)).toEqual(expected)

      // A device that pulled occasionally, and now the rest, has the same state.
      const rest = await user.pullAll({ limit, ...(cursor && { cursor_ts: cursor }) })
      for (const pulled of rest.changes) mirror.set(`${pulled.entity_type}/${pulled.entity_id}`, canonicalJson(pulled))
      expect([...mirror.values()].sort()).toEqual(expected.toSorted())

      for (const { device, changes } of rounds) await user.push(device, changes)
      expect((await user.pullAll()).changes.map(canonicalJson)).toEqual(expected)
    }),
    { seed, numRuns: 60 },
  )
})
