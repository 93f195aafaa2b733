// Facts that were recorded before paths had markers: the upgrade changes none of them, and each is sent with the same bytes as before.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FailureContract } from '@tandem/contract/failure'
import { expect, onTestFinished, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { openJournal } from '../journal/journal.ts'
import { openStore } from '../store/store.ts'
import { openEntities } from './entity/entities.ts'
import { openOutbox } from './outbox.ts'

const migrations = new URL('../store/migrations/', import.meta.url)
const files = readdirSync(migrations)
  .filter((name) => name.endsWith('.sql'))
  .sort()
/** The last schema without markers. */
const before = files.findIndex((name) => name.endsWith('-marked-facts.sql'))
const run_id = '0199aaaa-0000-7000-8000-000000000001'
const workspace = '/home/mara/work'

const failure: FailureContract = {
  taxonomy: 'none',
  stage: 'tool_execution',
  source: 'fs.read',
  reason_code: 'not_found',
  recoverability: 'retryable',
  details: {
    message: `${workspace}/a.txt is not there`,
    subject: `${workspace}/a.txt`,
    remedy: `Look in ${workspace}`,
    facts: [{ name: 'looked', value: `${workspace}/sub` }],
  },
}
const approval = {
  approval_id: '0199aaaa-0000-7000-8000-00000000000a',
  call_id: 'call',
  tool: 'shell.exec',
  arguments: `{"command":"ls ${workspace}"}`,
  working_directory: `${workspace}/sub`,
  fingerprint: 'a'.repeat(64),
  touches: [`run ls in ${workspace}`, 'write /home/mara/notes'],
  protected: [`${workspace}: 3 files, all of them with their content`],
  unprotected: [`What the command changes outside of ${workspace}`],
  remembers: [
    { kind: 'path', path: workspace },
    { kind: 'path', path: '/home/mara/notes' },
  ],
  warnings: [`it looks at ${workspace}`],
  choices: ['once', 'no'],
}

/** A folder of that version, with a paused run. */
function olderHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'tandem-older-'))
  mkdirSync(home, { recursive: true })
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec('PRAGMA journal_mode = WAL')
  for (const file of files.slice(0, before)) database.exec(readFileSync(new URL(file, migrations), 'utf8'))
  database.exec(`
    PRAGMA user_version = ${before};
    INSERT INTO meta (name, value) VALUES ('device_id', 'device');
    INSERT INTO conversations (no, conversation_id, agent_id, title, workspace, created_at, updated_at)
      VALUES (1, '0199aaaa-0000-7000-8000-00000000000c', 'a', 'T', '${workspace}', 0, 0);
    INSERT INTO runs (no, run_id, conversation, agent_id, device_id, title, state, pause_reason, model, sandbox_mode, next_seq, started_at, updated_at)
      VALUES (1, '${run_id}', 1, 'a', 'device', 'T', 'paused', 'user', 'm', 'workspace', 4, 0, 0);`)
  const step = database.prepare('INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body) VALUES (1, ?, ?, 0, ?, ?)')
  const arguments_ = `{"path":"${workspace}/a.txt","own":"${home}/outputs/x"}`
  step.run(0, 's0', 'tool.call', JSON.stringify({ call_id: 'call', tool: 'fs.read', arguments: arguments_ }))
  step.run(1, 's1', 'approval.requested', JSON.stringify({ approval }))
  step.run(2, 's2', 'tool.result', '{"call_id":"call"}')
  step.run(3, 's3', 'run.paused', '{"reason":"user"}')
  database
    .prepare(
      `INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, truncated, failure, settled_at)
       VALUES (1, 'call', 0, 'failed', ?, 0, ?, 0)`,
    )
    .run(JSON.stringify({ file: `/tmp/tandem-device/${run_id}/outputs/y`, text: `in ${workspace}` }), JSON.stringify(failure))
  database
    .prepare(`INSERT INTO messages (message_id, conversation, run, role, text, created_at) VALUES ('m', 1, 1, 'assistant', ?, 0)`)
    .run(`See ${home}/outputs/x and ${workspace}/a.txt`)
  database.close()
  return home
}

function opened(home: string) {
  const store = openStore({ home, user_home: '/home/mara', clock: testClock() })
  const bus = openBus((error) => {
    throw error
  })
  const outbox = openOutbox(store, openEntities(store))
  onTestFinished(() => {
    store.close()
    rmSync(home, { recursive: true })
  })
  return { store, outbox, journal: openJournal(store, openEvents(store, bus), bus) }
}

const ids = { run_id, conversation_id: '0199aaaa-0000-7000-8000-00000000000c', agent_id: 'a', device_id: 'device' }
const ts = '1970-01-01T00:00:00.000Z'
const sentArguments = `{"path":"${workspace}/a.txt","own":"…/outputs/x"}`
const sentOutcome = {
  outcome: 'failed',
  output: { file: '…/y', text: `in ${workspace}` },
  truncated: false,
  failure_contract: {
    taxonomy: 'none',
    stage: 'tool_execution',
    source: 'fs.read',
    reason_code: 'not_found',
    recoverability: 'retryable',
    details: { message: 'a.txt is not there', subject: 'a.txt', remedy: 'Look in .', facts: [{ name: 'looked', value: 'sub' }] },
  },
}
/** What the previous version sent from that folder, in the order of its fields. */
const sentBefore = [
  { step_id: 's0', ...ids, seq: 0, ts, kind: 'tool.call', call_id: 'call', tool: 'fs.read', arguments: sentArguments },
  {
    ...{ step_id: 's1', ...ids, seq: 1, ts, kind: 'approval.requested' },
    approval: {
      ...approval,
      working_directory: 'sub',
      touches: ['run ls in .', 'write /home/mara/notes'],
      protected: ['.: 3 files, all of them with their content'],
      unprotected: ['What the command changes outside of .'],
      remembers: [
        { kind: 'path', path: '.' },
        { kind: 'path', path: 'outside the workspace' },
      ],
      warnings: ['it looks at .'],
    },
  },
  { step_id: 's2', ...ids, seq: 2, ts, kind: 'tool.result', call_id: 'call', ...sentOutcome },
  { step_id: 's3', ...ids, seq: 3, ts, kind: 'run.paused', reason: 'user' },
  {
    ...{ call_id: 'call', run_id, conversation_id: ids.conversation_id, tool: 'fs.read', arguments: sentArguments, ...sentOutcome },
    ...{ checkpoint_id: null, requested_at: ts, settled_at: ts },
  },
  {
    ...{ message_id: 'm', conversation_id: ids.conversation_id, agent_id: 'a', run_id, role: 'assistant' },
    ...{ text: `See …/outputs/x and ${workspace}/a.txt`, attachments: [], created_at: ts },
  },
]

test('they are sent with the same bytes as before the upgrade, and again after their conversation got another folder', () => {
  const { store, outbox, journal } = opened(olderHome())
  for (const folder of [workspace, '/home/mara/moved']) {
    journal.conversations.settle(ids.conversation_id, folder)
    store.applying(() => outbox.addAll())
    const sent = outbox.batch({ changes: 500, bytes: 5_000_000 }).map(({ change }) => JSON.stringify(change.payload))
    expect(sent).toEqual(sentBefore.map((payload) => JSON.stringify(payload)))
  }
})

test('they are read here as they were recorded; what the same run records from now on is marked', () => {
  const { outbox, journal } = opened(olderHome())
  const subjects = () =>
    journal.steps(run_id).flatMap(({ step }) => ('failure_contract' in step ? [step.failure_contract?.details.subject] : []))
  expect([subjects(), journal.steps(run_id)[1]?.step]).toMatchObject([[`${workspace}/a.txt`], { approval }])
  const details = { ...failure.details, subject: '/home/mara/x' }
  journal.append(run_id, { kind: 'error', failure_contract: { ...failure, details } })
  expect(subjects()).toEqual([`${workspace}/a.txt`, '/home/mara/x'])
  const [change] = outbox.batch({ changes: 500, bytes: 5_000_000 }).map(({ change: { payload } }) => payload)
  expect(change?.failure_contract).toEqual({ ...failure, details: { ...details, subject: '$HOME/x' } })
})
