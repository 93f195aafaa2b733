// Entities as they are sent: valid by the contract, the same on every device, and without what belongs only to this one.
import { rmSync } from 'node:fs'
import type { EntityPayload } from '@tandem/contract/entity'
import { entityPayloads } from '@tandem/contract/entity/schema'
import { type Change, canonicalJson, type EntityType } from '@tandem/contract/sync'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleOf } from '../../../../contract/src/sample.ts'
import { testClock } from '../../../test/support/clock/test-clock.ts'
import { agentNamed } from '../../../test/support/sync/test-device.ts'
import { type EntityDevice, openEntityDevice } from '../../../test/support/sync/test-entities.ts'
import { wipe } from '../../account/wipe.ts'
import { toRun } from '../../journal/run-record.ts'
import { openRecords } from '../../store/records.ts'
import { openOutbox } from '../outbox.ts'
import { matchesSchema } from './shapes.ts'

const clock = testClock()
let here: EntityDevice
let there: EntityDevice

beforeEach(() => {
  here = openEntityDevice(clock)
  there = openEntityDevice(clock)
})
afterEach(() => {
  for (const { store, home } of [here, there]) {
    store.close()
    rmSync(home, { recursive: true })
  }
})

const canary = 'CANARY'
const workspace = `/home/mara/${canary}-folder`

/** A run with many kinds of steps, and a canary in every place that must not be sent. */
function live({ journal, store }: EntityDevice): string {
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const message_id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', author: 'person', text: 'hello' })
  const ids = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace' as const }
  const run = journal.start({ ...ids, message_id, start_key: `${canary}-key` })
  const call_id = store.newId()
  const call = journal.append(
    run.run_id,
    { kind: 'tool.call', call_id, tool: 'fs.read', arguments: '{"path":"a"}' },
    { wire_id: `${canary}-wire`, tool: 'fs.read' },
  )
  journal.append(run.run_id, {
    kind: 'approval.requested',
    approval: {
      approval_id: store.newId(),
      call_id,
      tool: 'fs.read',
      arguments: '{"path":"a"}',
      working_directory: '$WORKSPACE/sub',
      fingerprint: 'a'.repeat(64),
      touches: ['write $WORKSPACE/a.txt', 'run ls $HOME in $WORKSPACE/sub', 'send to example.org'],
      protected: ['$WORKSPACE/sub and $HOME/x: 2 files, all of them with their content'],
      unprotected: ['What the command changes outside of $WORKSPACE'],
      remembers: [
        { kind: 'path', path: '$HOME/x' },
        { kind: 'command', words: ['make'], folder: '$WORKSPACE/sub' },
      ],
      warnings: ['it looks at $HOME'],
      choices: ['once', 'no'],
    },
  })
  journal.settle(run.run_id, {
    call_id,
    tool: 'fs.read',
    call_seq: call.seq,
    outcome: 'succeeded',
    output: { lines: ['x'] },
    output_file: null,
    truncated: false,
    failure_contract: {
      taxonomy: 'none',
      stage: 'tool_execution',
      source: 'tool',
      reason_code: 'partly_read',
      recoverability: 'retryable',
      details: { message: 'it is too long', subject: `${workspace}/a.txt` },
    },
    checkpoint_id: null,
    duration_ms: 3,
  })
  journal.messages.write({ conversation: conversation.no, run: run.no, role: 'assistant', author: 'agent', text: 'done' })
  const usage = { input_tokens: 1, output_tokens: 2, cached_tokens: 0, estimated: false }
  journal.append(run.run_id, { kind: 'model.completed', turn: 1, usage, finish_reason: 'stop' })
  journal.append(run.run_id, { kind: 'run.completed', usage })
  openRecords(store).put('agents', 'a', agentNamed('A'))
  return run.run_id
}

test('of a call whose content stays here only ids are sent, whatever happens to its tool', () => {
  const { journal, store } = here
  const { no } = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const { run_id } = journal.start({ conversation: no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null })
  const call_id = store.newId()
  const args = { kind: 'tool.call' as const, call_id, tool: 'memory.update', arguments: `{"memory_id":"m1","text":"${canary}"}` }
  const { seq } = journal.append(run_id, args, { leaves: 'ids' })
  const settled = { call_id, tool: 'memory.update', call_seq: seq, outcome: 'succeeded' as const, truncated: false, failure_contract: null }
  journal.settle(run_id, {
    ...settled,
    output: { memory_id: 'm1', text: canary },
    output_file: canary,
    checkpoint_id: null,
    duration_ms: 1,
  })
  const changes = here.changes()
  expect(changes.filter(({ entity_type, payload }) => !matchesSchema(entity_type, payload))).toEqual([])
  expect(JSON.stringify(changes)).not.toContain(canary)
  expect(changes.find(({ entity_type }) => entity_type === 'tool_calls')?.payload).toMatchObject({
    arguments: '{"memory_id":"m1"}',
    output: { memory_id: 'm1' },
  })
  // On this device, all of it can be read.
  expect(JSON.stringify(journal.steps(run_id))).toContain(canary)
})

test('every sent change matches the contract, and reveals nothing about this machine', () => {
  live(here)
  const changes = here.changes()
  expect(changes.map(({ entity_type }) => entity_type)).toEqual([
    'messages',
    'agent_run_steps',
    'agent_run_steps',
    'agent_run_steps',
    'tool_calls',
    'agent_run_steps',
    'messages',
    'agent_run_steps',
    'agent_run_steps',
    'agents',
  ])
  expect(changes.filter(({ entity_type, payload }) => !matchesSchema(entity_type, payload))).toEqual([])
  expect(JSON.stringify(changes)).not.toContain(canary)
  expect(JSON.stringify(changes)).not.toContain(here.home)
  expect(changes[3]?.payload.approval).toMatchObject({
    working_directory: '$WORKSPACE/sub',
    touches: ['write $WORKSPACE/a.txt', 'run ls $HOME in $WORKSPACE/sub', 'send to example.org'],
    remembers: [
      { kind: 'path', path: '$HOME/x' },
      { kind: 'command', words: ['make'], folder: '$WORKSPACE/sub' },
    ],
  })
  const failed = { details: { message: 'it is too long', subject: '$WORKSPACE/a.txt' } }
  expect([changes[4]?.payload.failure_contract, changes[5]?.payload.failure_contract]).toMatchObject([failed, failed])
})

test('another device shows the same run, from the same facts, and would send the same', () => {
  const run_id = live(here)
  const changes = here.changes()
  there.store.applying(() => there.inbox.arrive(changes))
  expect(there.changes()).toEqual([])
  const shown = ({ journal }: EntityDevice) => {
    const record = journal.run(run_id)
    return { run: record && toRun(record), steps: journal.steps(run_id).map(({ step }) => step) }
  }
  const approvalOf = ({ journal }: EntityDevice) => journal.steps(run_id).find(({ step }) => step.kind === 'approval.requested')?.step
  expect(approvalOf(here)).toMatchObject({
    approval: {
      working_directory: `${workspace}/sub`,
      touches: [`write ${workspace}/a.txt`, `run ls $HOME in ${workspace}/sub`, 'send to example.org'],
      protected: [`${workspace}/sub and /home/mara/x: 2 files, all of them with their content`],
      unprotected: [`What the command changes outside of ${workspace}`],
      remembers: [
        { kind: 'path', path: '/home/mara/x' },
        { kind: 'command', words: ['make'], folder: `${workspace}/sub` },
      ],
      warnings: ['it looks at $HOME'],
    },
  })
  // On another device, its folders have no names.
  const told = JSON.stringify(shown(here)).replaceAll(workspace, 'workspace').replaceAll('/home/mara', '~')
  expect(shown(there)).toEqual(JSON.parse(told))
  there.store.applying(() => openOutbox(there.store, there.entities).addAll())
  const again = new Map(there.changes().map((change) => [change.entity_id, canonicalJson(change.payload)]))
  expect(again).toEqual(new Map(changes.map((change) => [change.entity_id, canonicalJson(change.payload)])))
})

test('what a device sent comes back to it unchanged after a wipe', () => {
  const { store, inbox, entities } = here
  live(here)
  const changes = here.changes()
  wipe(store)
  store.applying(() => inbox.arrive(changes))
  store.applying(() => inbox.retryEarly())
  expect(inbox.unread()).toBe(0)
  const held = changes.map((change) => entities.payload(change.entity_type, change.entity_id, entities.place(change)))
  expect(held).toEqual(changes.map(({ payload }) => payload))
})

test('facts that arrive in any order lead to the same state', () => {
  const run_id = live(here)
  const changes = here.changes()
  fc.assert(
    fc.property(fc.shuffledSubarray(changes, { minLength: changes.length }), (shuffled) => {
      const other = openEntityDevice(clock)
      try {
        for (const change of shuffled) other.store.applying(() => other.inbox.arrive([change]))
        other.store.applying(() => other.inbox.retryEarly())
        expect(other.inbox.unread()).toBe(0)
        const { state, usage, title, model, device_id, next_seq } = other.journal.run(run_id) ?? {}
        const mine = here.journal.run(run_id)
        expect({ state, usage, title, model, device_id, next_seq }).toEqual({
          state: 'completed',
          usage: mine?.usage,
          title: 'T',
          model: 'm',
          device_id: here.store.device_id,
          next_seq: 6,
        })
        expect(other.journal.steps(run_id).length).toBe(6)
      } finally {
        other.store.close()
        rmSync(other.home, { recursive: true })
      }
    }),
    { numRuns: 20 },
  )
})

test('whatever a newer device wrote is read back unchanged, or kept aside as a whole', () => {
  const types = [
    'messages',
    'agent_run_steps',
    'tool_calls',
    'workflow_run_events',
    'agents',
    'mcp_servers',
    'agent_skill_bindings',
  ] as const
  const any = fc.oneof(...types.map((type) => changeOf(type)))
  fc.assert(
    fc.property(fc.array(any, { maxLength: 6 }), (changes) => {
      there.store.applying(() => there.inbox.arrive(changes))
      there.store.applying(() => openOutbox(there.store, there.entities).addAll())
      const held = new Map(
        openOutbox(there.store, there.entities)
          .batch({ changes: 5_000, bytes: 50_000_000 })
          .map(({ change }) => [keyOf(change), canonicalJson(change.payload)]),
      )
      for (const change of changes) expect(held.get(keyOf(change))).toBe(canonicalJson(change.payload))
      there.store.applying(() => there.store.sql.run`DELETE FROM outbox`)
    }),
    { numRuns: 60 },
  )
})

const idNames = { messages: 'message_id', agent_run_steps: 'step_id', tool_calls: 'call_id' } as const
let made = 0

function changeOf<Type extends EntityType>(type: Type): fc.Arbitrary<Change> {
  return sampleOf(entityPayloads[type]).map((payload) => {
    made += 1
    const entity_id = here.store.newId()
    const name = idNames[type as keyof typeof idNames]
    const ts = new Date(clock.now() + made).toISOString()
    const whole = { ...(payload as EntityPayload<'messages'>), ...(name ? { [name]: entity_id } : {}) }
    return { entity_type: type, entity_id, op: 'upsert', version: 1, updated_at: ts, source_ts: ts, payload: whole }
  })
}

function keyOf({ entity_type, entity_id }: Change): string {
  return `${entity_type} ${entity_id}`
}
