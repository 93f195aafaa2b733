// Entities as they leave: whole by the contract, the same on every device that holds them, and without what belongs to this one alone.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EntityPayload } from '@tandem/contract/entity'
import { entityPayloads } from '@tandem/contract/entity/schema'
import { type Change, canonicalJson, type EntityType } from '@tandem/contract/sync'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleOf } from '../../../contract/src/sample.ts'
import { wipe } from '../account/wipe.ts'
import { testClock } from '../clock/test-clock.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { toRun } from '../journal/run-record.ts'
import { openRecords } from '../store/records.ts'
import { openStore, type Store } from '../store/store.ts'
import { arrivalOf } from './arrival.ts'
import { type Entities, openEntities } from './entities.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { openOutbox } from './outbox.ts'
import { fits } from './shapes.ts'
import { agentNamed } from './test-device.ts'

interface Device {
  readonly home: string
  readonly store: Store
  readonly journal: Journal
  readonly entities: Entities
  readonly inbox: Inbox
  changes(): Change[]
}

const clock = testClock()
let here: Device
let there: Device

beforeEach(() => {
  here = open()
  there = open()
})
afterEach(() => {
  for (const { store, home } of [here, there]) {
    store.close()
    rmSync(home, { recursive: true })
  }
})

function open(): Device {
  const home = mkdtempSync(join(tmpdir(), 'tandem-entities-'))
  const store = openStore({ home, user_home: '/home/mara', clock })
  const bus = openBus((error) => {
    throw error
  })
  const entities = openEntities(store)
  const outbox = openOutbox(store, entities)
  return {
    home,
    store,
    journal: openJournal(store, openEvents(store, bus), bus),
    entities,
    inbox: openInbox(store, entities, outbox, {
      arrivalOf,
      stepArrived: () => undefined,
      arrived: () => undefined,
      fileWanted: () => undefined,
    }),
    changes: () => outbox.batch({ changes: 500, bytes: 5_000_000 }).map(({ change }) => change),
  }
}

const canary = 'CANARY'
const workspace = `/home/mara/${canary}-folder`

/** A run with a step of many kinds, and a canary in every place that must not leave. */
function live({ journal, store }: Device): string {
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const message_id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', text: 'hello' })
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
  journal.messages.write({ conversation: conversation.no, run: run.no, role: 'assistant', text: 'done' })
  const usage = { input_tokens: 1, output_tokens: 2, cached_tokens: 0, estimated: false }
  journal.append(run.run_id, { kind: 'model.completed', turn: 1, usage, finish_reason: 'stop' })
  journal.append(run.run_id, { kind: 'run.completed', usage })
  openRecords(store).put('agents', 'a', agentNamed('A'))
  return run.run_id
}

test('every change that leaves is what the contract says, and tells nothing of this machine', () => {
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
  expect(changes.filter(({ entity_type, payload }) => !fits(entity_type, payload))).toEqual([])
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

/** Its facts so far are those of an older Tandem, which marked nothing. */
function madeOlder({ store }: Device): void {
  store.sql.run`UPDATE messages SET marked = 0`
  store.sql.run`UPDATE agent_run_steps SET marked = 0`
  store.sql.run`UPDATE tool_calls SET marked = 0`
}

test('texts, arguments and outputs leave as they were recorded, whatever paths they name', () => {
  const { journal, store, home } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id, no } = journal.start(of)
  const said = `${workspace}/a, ${home}/outputs/x, /tmp/tandem-d/${run_id}/y and /home/mara`
  const call_id = store.newId()
  const asked = { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: JSON.stringify({ command: said }) } as const
  const { seq } = journal.append(run_id, asked)
  const details = { message: said, subject: '/home/mara/b', remedy: said, facts: [{ name: 'said', value: said }] }
  const failure = { taxonomy: 'none', stage: 'tool_execution', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const
  const settled = { call_id, tool: 'shell.exec', call_seq: seq, output_file: null, truncated: false, checkpoint_id: null, duration_ms: 1 }
  journal.settle(run_id, { ...settled, outcome: 'failed', output: { file: said }, failure_contract: { ...failure, details } })
  journal.messages.write({ conversation: conversation.no, run: no, role: 'assistant', text: said })
  const [, call, settledCall, result, message] = here.changes().map(({ payload }) => payload)
  expect([call?.arguments, settledCall?.arguments, result?.output, message?.text]).toEqual([
    asked.arguments,
    asked.arguments,
    { file: said },
    said,
  ])
  for (const one of [settledCall, result]) {
    expect(one).toMatchObject({ output: { file: said }, failure_contract: { details: { ...details, subject: '$HOME/b' } } })
  }
})

test('what an older Tandem recorded leaves as that one sent it: files in the folders of a run by their names alone', () => {
  const { journal, store, home } = here
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id } = journal.start(of)
  const temp = `/tmp/${canary}/tandem-device/${run_id}`
  const call_id = store.newId()
  const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: '{}' })
  journal.settle(run_id, {
    call_id,
    tool: 'shell.exec',
    call_seq: seq,
    outcome: 'succeeded',
    output: {
      file: `${temp}/outputs/one.txt`,
      parts: [{ file: `${temp}/mcp/two.png`, bytes: 3 }, { file: join(home, 'outputs', 'three.txt') }, null, true],
      output: `/etc/hosts\n${temp}/y is not there`,
      // The beginning of an output that is too long for its record.
      beginning: JSON.stringify({ output: `one\n${temp}/a`, file: `${temp}/outputs/four.txt` }),
      path: '/etc/hosts',
      inside: `${workspace}/a.txt`,
    },
    output_file: null,
    truncated: false,
    failure_contract: null,
    checkpoint_id: null,
    duration_ms: 1,
  })
  const told = {
    file: '…/one.txt',
    parts: [{ file: '…/two.png', bytes: 3 }, { file: '…/three.txt' }, null, true],
    output: '/etc/hosts\n…/y is not there',
    beginning: JSON.stringify({ output: 'one\n…/a', file: '…/outputs/four.txt' }),
    path: '/etc/hosts',
    inside: 'a.txt',
  }
  const said = (role: 'user' | 'assistant') =>
    journal.messages.write({ conversation: conversation.no, run: journal.run(run_id)?.no ?? null, role, text: `It is in ${temp}/y.` })
  const [asked, answered] = [said('user'), said('assistant')]
  madeOlder(here)
  const changes = here.changes()
  expect(changes.flatMap(({ payload }) => (payload.output === undefined ? [] : [payload.output]))).toEqual([told, told])
  const texts = new Map(changes.map(({ entity_id, payload }) => [entity_id, payload.text]))
  expect([texts.get(asked), texts.get(answered)]).toEqual([`It is in ${temp}/y.`, 'It is in …/y.'])
  // Another device tells them on as they came.
  there.inbox.arrive(changes)
  const run = there.journal.run(run_id)?.no ?? null
  expect(there.entities.payload('tool_calls', call_id, { run, seq })?.output).toEqual(told)
})

test('what an older Tandem recorded: a folder whose name only begins the same, and a root, are left as they are', () => {
  const { journal, store } = here
  const said = (workspace: string, text: string) => {
    const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
    const of = {
      conversation: conversation.no,
      agent_id: 'a',
      title: 'T',
      model: 'm',
      sandbox_mode: 'workspace',
      message_id: null,
    } as const
    const { run_id } = journal.start(of)
    const failure = { taxonomy: 'none', stage: 'tool_execution', source: 'run', reason_code: 'x', recoverability: 'terminal' } as const
    const { seq } = journal.append(run_id, { kind: 'error', failure_contract: { ...failure, details: { message: text } } })
    const run = journal.run(run_id)?.no ?? 0
    madeOlder(here)
    const payload = here.entities.payload('agent_run_steps', store.newId(), { run, seq }) as {
      failure_contract: typeof failure & { details: object }
    }
    return payload.failure_contract.details
  }
  expect(said('/srv/app', '/srv/app2/x /srv/app.old /srv/app/x /srv/app')).toEqual({ message: '/srv/app2/x /srv/app.old x .' })
  expect(said('/', '/etc/x')).toEqual({ message: '/etc/x' })
})

test('another device shows the same run, read from the same facts, and would send the same', () => {
  const run_id = live(here)
  const changes = here.changes()
  there.store.applying(() => there.inbox.arrive(changes))
  expect(there.changes()).toEqual([])
  const shown = ({ journal }: Device) => {
    const record = journal.run(run_id)
    return { run: record && toRun(record), steps: journal.steps(run_id).map(({ step }) => step) }
  }
  const approvalOf = ({ journal }: Device) => journal.steps(run_id).find(({ step }) => step.kind === 'approval.requested')?.step
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
  // Elsewhere its folders have no names.
  const told = JSON.stringify(shown(here)).replaceAll(workspace, 'workspace').replaceAll('/home/mara', '~')
  expect(shown(there)).toEqual(JSON.parse(told))
  there.store.applying(() => openOutbox(there.store, there.entities).addAll())
  const again = new Map(there.changes().map((change) => [change.entity_id, canonicalJson(change.payload)]))
  expect(again).toEqual(new Map(changes.map((change) => [change.entity_id, canonicalJson(change.payload)])))
})

test('what a device told comes back to it after a wipe as it told it', () => {
  const { journal, store, home, inbox } = here
  live(here)
  const conversation = journal.conversations.create({ agent_id: 'a', title: 'T', workspace })
  const of = { conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id: null } as const
  const { run_id } = journal.start(of)
  const call_id = store.newId()
  const { seq } = journal.append(run_id, { kind: 'tool.call', call_id, tool: 'shell.exec', arguments: '{}' })
  journal.settle(run_id, {
    call_id,
    tool: 'shell.exec',
    call_seq: seq,
    outcome: 'succeeded',
    output: [`${workspace}/a.txt, in ${home}/outputs/x`, `/bin/sh: 1: cannot open ${home}/outputs/x: no`, `${home}/outputs/${run_id}`],
    output_file: null,
    truncated: false,
    failure_contract: null,
    checkpoint_id: null,
    duration_ms: 1,
  })
  madeOlder(here)
  const changes = here.changes()
  expect(changes.find(({ entity_type, entity_id }) => entity_type === 'tool_calls' && entity_id === call_id)?.payload.output).toEqual([
    'a.txt, in …/outputs/x',
    '/bin/sh: 1: cannot open …/outputs/x: no',
    '…',
  ])
  wipe(store)
  store.applying(() => inbox.arrive(changes))
  store.applying(() => inbox.retryEarly())
  expect(inbox.unread()).toBe(0)
})

test('facts that come in any order add up to the same', () => {
  const run_id = live(here)
  const changes = here.changes()
  fc.assert(
    fc.property(fc.shuffledSubarray(changes, { minLength: changes.length }), (shuffled) => {
      const other = open()
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

test('whatever a newer device made of a fact is read back as it came, or kept aside whole', () => {
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
