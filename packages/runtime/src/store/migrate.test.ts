import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testClock } from '../../test/support/clock/test-clock.ts'
import { openBus } from '../event/bus.ts'
import { openEvents } from '../event/events.ts'
import { openLongTexts } from '../journal/long-texts.ts'
import { openMessages } from '../journal/messages.ts'
import { openWaits } from '../journal/waits.ts'
import { openStore } from './store.ts'

const folder = new URL('./migrations/', import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
const clock = testClock()
let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tandem-migrate-'))
})
afterEach(() => rmSync(home, { recursive: true }))

/** A folder as an older Tandem left it, with a run that ended, its event and a step that was not sent. */
function older(version: number): void {
  mkdirSync(home, { recursive: true })
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec('PRAGMA journal_mode = WAL')
  for (const file of files.slice(0, version)) database.exec(readFileSync(new URL(file, folder), 'utf8'))
  database.exec(`
    PRAGMA user_version = ${version};
    INSERT INTO meta (name, value) VALUES ('device_id', 'device');
    INSERT INTO conversations (no, conversation_id, agent_id, title, workspace, created_at, updated_at) VALUES (1, 'c', 'a', 't', '/w', 0, 0);
    INSERT INTO runs (no, run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, started_at, updated_at, ended_at)
      VALUES (1, 'r', 1, 'a', 'device', 't', 'completed', 'm', 'workspace', 0, 0, 1);
    INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body) VALUES (1, 0, 's', 0, 'run.paused', '{"reason":"user"}');
    INSERT INTO outbox (entity_type, entity_id, op, version, updated_at, source_ts) VALUES ('agent_run_steps', 's', 'upsert', 1, 5, 0);
    INSERT INTO events (event_id, event, ts, run, seq, data) VALUES ('e', 'run_paused', 0, 1, 0, '{"reason":"crash"}');
    INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload)
      VALUES ('todos', 'c', 1, 7, 0, 'device', 0, '{"todos":[]}');`)
  database.close()
}

test('migrations are numbered without gaps: the database stores how many were applied', () => {
  expect(files.map((name) => name.slice(0, 5))).toEqual(files.map((_, index) => `${String(index + 1).padStart(4, '0')}-`))
})

test('a new database is the same as one with all migrations', () => {
  openStore({ home, clock }).close()
  const created = schemaOf(home)
  rmSync(home, { recursive: true })
  older(1)
  openStore({ home, clock }).close()
  expect(created).toEqual(schemaOf(home))
})

function schemaOf(folder: string): unknown {
  const database = new DatabaseSync(join(folder, 'tandem.db'))
  const objects = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all()
  const rows = database.prepare('SELECT * FROM sync_state').all()
  const version = database.prepare('PRAGMA user_version').get()
  database.close()
  return { objects, rows, version }
}

test('a channel with the old name of email is renamed', () => {
  older(files.indexOf('0023-email.sql'))
  const database = new DatabaseSync(join(home, 'tandem.db'))
  for (const [id, kind] of [
    ['1', 'channel'],
    ['2', 'resource'],
  ])
    database
      .prepare("INSERT INTO memory_relationship_entities VALUES (?, 'a', 'c', ?, 'e-mail', 'd', '[]', 1, '', '', 1)")
      .run(id ?? '', kind ?? '')
  database.close()
  const store = openStore({ home, clock })
  const named = store.sql.all`SELECT id, canonical_name, version FROM memory_relationship_entities`
  store.close()
  expect(named).toEqual([
    { id: '1', canonical_name: 'email', version: 2 },
    { id: '2', canonical_name: 'e-mail', version: 1 },
  ])
})

test('a workflow run has its name, its owner and its reason in its row', () => {
  older(files.indexOf('0028-listed-workflow-runs.sql'))
  const database = new DatabaseSync(join(home, 'tandem.db'))
  const event = (seq: number, fields: object) =>
    database
      .prepare("INSERT INTO workflow_run_events (event_id, workflow_run_id, seq, ts, payload) VALUES (?, 'w', ?, 0, ?)")
      .run(`e${seq}`, seq, JSON.stringify(fields))
  database.exec(`
    INSERT INTO workflow_runs (workflow_run_id, workflow_id, run_id, inputs_by, state, started_at) VALUES ('w', 'f', 'r', 'person', 'paused', 0)`)
  event(0, { kind: 'started', name: 'Tidy', owner_agent_id: 'a' })
  event(1, { kind: 'state', state: 'paused', reason: 'first' })
  event(2, { kind: 'state', state: 'running' })
  event(3, { kind: 'state', state: 'paused', reason: 'second' })
  event(4, { kind: 'node.started', node_id: 'n' })
  database.close()
  const store = openStore({ home, clock })
  const rows = store.sql.all`SELECT name, owner_agent_id, reason FROM workflow_runs`
  store.close()
  expect(rows).toEqual([{ name: 'Tidy', owner_agent_id: 'a', reason: 'second' }])
})

test.each(files.slice(1).map((_, index) => index + 1))('opens a folder of version %i with everything in it', (version) => {
  older(version)
  const store = openStore({ home, clock })
  try {
    const events = openEvents(store, openBus(String))
    expect([store.device_id, store.sql.get`PRAGMA user_version`, store.sql.get`PRAGMA integrity_check`]).toEqual([
      'device',
      { user_version: files.length },
      { integrity_check: 'ok' },
    ])
    const about = { agent_id: 'a', conversation_id: 'c', run_id: 'r', step_id: 's' }
    expect(events.list({ limit: 10 })).toEqual([
      { no: 1, event_id: 'e', event: 'run_paused', ts: '1970-01-01T00:00:00.000Z', ...about, data: { reason: 'crash' } },
    ])
    expect(store.sql.get`SELECT run_id, retries, retry_at FROM runs`).toEqual({ run_id: 'r', retries: 0, retry_at: null })
    // Runs that ended before are not reported again.
    expect(store.sql.all`SELECT * FROM lifecycle_events`).toEqual([])
    expect(store.sql.get`SELECT entity_id, updated_at, run, seq FROM outbox`).toEqual({
      entity_id: 's',
      updated_at: 5,
      ...(version < 4 ? { run: 1, seq: 0 } : { run: null, seq: null }),
    })
  } finally {
    store.close()
  }
})

test('refuses a folder of a newer Tandem and leaves it unchanged', () => {
  older(files.length)
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec(`PRAGMA user_version = ${files.length + 1}`)
  database.close()
  expect(() => openStore({ home, clock })).toThrow(/written by a newer Tandem .*: update Tandem/)
})

test('an older resume event gets the full resume contract of its step', () => {
  older(7)
  const resume_contract = { run_id: 'r', resumed_from: 'user', cursor_seq: 1, pending_calls: [{ call_id: 'x' }] }
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec(`
    INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body)
      VALUES (1, 1, 's1', 0, 'run.resumed', '${JSON.stringify({ resume_contract })}');
    INSERT INTO events (event_id, event, ts, run, seq, data)
      VALUES ('', 'run_resumed', 0, 1, 1, '{"resumed_from":"user","checkpoint_id":null,"cursor_seq":1}');
    INSERT INTO events (event_id, event, ts, run, seq, data)
      VALUES ('gone', 'run_resumed', 0, 9, 1, '{"resumed_from":"user","checkpoint_id":null,"cursor_seq":1}');`)
  database.close()
  const store = openStore({ home, clock })
  try {
    const events = openEvents(store, openBus(String)).list({ limit: 10 })
    expect(events.flatMap((one) => (one.event === 'run_resumed' ? [one.data] : []))).toEqual([{ resume_contract }])
  } finally {
    store.close()
  }
})

test('of messages without an author, only those that users of this device wrote before get one', () => {
  older(13)
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec(`
    INSERT INTO runs (no, run_id, conversation, agent_id, device_id, title, state, model, sandbox_mode, start_key, started_at, updated_at) VALUES
      (2, 'own', 1, 'a', 'device', 't', 'completed', 'm', 'workspace', 'key', 0, 0),
      (3, 'of-task', 1, 'a', 'device', 't', 'completed', 'm', 'workspace', 'task:1', 0, 0),
      (4, 'accepted', 1, 'a', 'device', 't', 'completed', 'm', 'workspace', NULL, 0, 0),
      (5, 'foreign', 1, 'a', 'elsewhere', 't', 'completed', 'm', 'workspace', NULL, 0, 0);
    INSERT INTO cloud_tasks (task_id, title, stage, run_id, created_at) VALUES ('2', 't', 'ended', 'accepted', '');
    INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body) VALUES
      (2, 0, 's2', 0, 'run.started', '{"message_id":"m2"}'), (3, 0, 's3', 0, 'run.started', '{"message_id":"m3"}'),
      (4, 0, 's4', 0, 'run.started', '{"message_id":"m4"}'), (5, 0, 's5', 0, 'run.started', '{"message_id":"m5"}');
    INSERT INTO messages (message_id, conversation, run, role, text, created_at) VALUES
      ('m2', 1, NULL, 'user', 'x', 0), ('m3', 1, NULL, 'user', 'x', 0), ('m4', 1, NULL, 'user', 'x', 0), ('m5', 1, NULL, 'user', 'x', 0),
      ('a2', 1, 2, 'assistant', 'x', 0);`)
  database.close()
  const store = openStore({ home, clock })
  try {
    store.sql.run`INSERT INTO messages (message_id, conversation, role, text, created_at) VALUES ('later', 1, 'user', 'x', 0)`
    store.sql.run`
      INSERT INTO agent_run_steps (run, seq, step_id, ts, kind, body) VALUES (1, 7, 's6', 0, 'run.started', '{"message_id":"later"}')`
    const messages = openMessages(store, openLongTexts(home, store.newId))
    const seen = store.sql.all`SELECT message_id, author, older_origin FROM messages ORDER BY no`
    expect(
      seen.map(({ message_id, ...row }) => [message_id, row.author, row.older_origin, messages.get(String(message_id))?.persons_word]),
    ).toEqual([
      ['m2', null, 'user', true],
      ['m3', null, 'task', false],
      ['m4', null, 'task', false],
      ['m5', null, null, false],
      ['a2', null, null, false],
      ['later', null, null, false],
    ])
  } finally {
    store.close()
  }
})

test('a pending wait stays pending, and an answer that has not reached its call is not lost', () => {
  older(15)
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec(`
    INSERT INTO approvals (approval_id, run, call_id, fingerprint, prompt, answer, asked_at) VALUES
      ('a1', 1, 'c1', 'f', '{"tool":"fs.write"}', NULL, 3), ('a2', 1, 'c2', 'f', '{"tool":"fs.write"}', 'once', 3);
    INSERT INTO questions (question_id, run, call_id, prompt, answer, asked_at, answered_at) VALUES
      ('q1', 1, 'c3', '{}', NULL, 4, NULL), ('q2', 1, 'c4', '{}', '{"chosen":[],"text":"Yes"}', 4, 5),
      ('q3', 1, 'c5', '{}', '{"chosen":[],"text":"Told"}', 4, 5), ('q4', 1, 'c6', '{}', 'null', 4, 5);
    INSERT INTO tool_calls (run, call_id, call_seq, outcome, output, truncated, settled_at) VALUES (1, 'c5', 0, 'succeeded', '{}', 0, 6);`)
  database.close()
  const store = openStore({ home, clock })
  try {
    const waits = openWaits(store)
    expect(waits.open(1).map(({ call_id, tool, for: subject, id }) => [call_id, tool, subject, id])).toEqual([
      ['c1', 'fs.write', 'approval', 'a1'],
      ['c3', 'ask_user', 'question', 'q1'],
    ])
    expect(waits.of(1, 'c4')).toMatchObject({ for: 'question', outcome: 'completed', value: { chosen: [], text: 'Yes' } })
    expect(['c2', 'c5', 'c6'].map((call_id) => waits.of(1, call_id))).toEqual([undefined, undefined, undefined])
  } finally {
    store.close()
  }
})

test('quotes of messages that are here get the conversation of their message', () => {
  older(19)
  const quotes = [
    { message_id: 'm1', excerpt: 'I prefer "tabs".' },
    { message_id: 'gone', excerpt: 'I live in Porto.' },
  ]
  const database = new DatabaseSync(join(home, 'tandem.db'))
  database.exec(`INSERT INTO messages (message_id, conversation, role, text, created_at) VALUES ('m1', 1, 'user', 'x', 0)`)
  const insert = database.prepare(`
    INSERT INTO memories (id, only_in_conversation, memory_kind, subject, content, quotes, state, confidence, source_type, authority,
      confirmed_by_user, conflicts_with, supersedes, use_count, tags, created_at, updated_at, version)
    VALUES (?, 0, 'semantic', 'user', 'x', ?, 'active', 1, 'memory_flush', 'person', 0, '[]', '[]', 0, '[]', '', '', 1)`)
  insert.run('quoting', JSON.stringify(quotes))
  insert.run('without', '[]')
  database.close()
  const store = openStore({ home, clock })
  try {
    const rows = store.sql.all<{ id: string; quotes: string }>`SELECT id, quotes FROM memories ORDER BY id`
    expect(rows.map(({ id, quotes: list }) => [id, JSON.parse(list)])).toEqual([
      ['quoting', [{ ...quotes[0], conversation_id: 'c' }, quotes[1]]],
      ['without', []],
    ])
  } finally {
    store.close()
  }
})

test('memories keep all their columns and versions, and leave no copy behind when they are deleted', () => {
  older(21)
  const file = join(home, 'tandem.db')
  const text = 'quetzaltenango'
  const database = new DatabaseSync(file)
  const columns = database
    .prepare('PRAGMA table_info(memories)')
    .all()
    .map(({ name }) => String(name))
  const values = columns.map((name) => ({ id: 'm', content: text, origin_key: 'key' })[name] ?? name)
  database.prepare(`INSERT INTO memories VALUES (${columns.map(() => '?').join(', ')})`).run(...values)
  database.exec(`
    INSERT INTO memory_versions (memory_id, version, record) VALUES ('m', 1, '{"content":"${text}"}');
    INSERT INTO procedure_runs (memory_id, run, outcome, next_seq) VALUES ('m', 1, 'success', 2);`)
  database.close()
  const store = openStore({ home, clock })
  const rows = () => [
    store.sql.get`SELECT * FROM memories`,
    store.sql.all`SELECT * FROM memory_versions`,
    store.sql.all`SELECT * FROM procedure_runs`,
  ]
  expect(rows()).toEqual([
    Object.fromEntries(columns.map((name, index) => [name, values[index]])),
    [{ memory_id: 'm', version: 1, record: `{"content":"${text}"}` }],
    [{ memory_id: 'm', run: 1, outcome: 'success', next_seq: 2 }],
  ])
  store.sql.run`PRAGMA secure_delete = ON`
  store.sql.run`DELETE FROM memories`
  expect(rows()).toEqual([undefined, [], []])
  store.close()
  expect(readFileSync(file).includes(text)).toBe(false)
})

test('rules that were granted before have the time and the conversation of their first approval', () => {
  older(files.indexOf('0048-approval-rule-uses.sql'))
  const echo = { kind: 'command', words: ['echo'] }
  const folder = { kind: 'path', path: '/w/"quoted" ü' }
  const prompt = (tool: string, remembers: readonly object[]) => JSON.stringify({ tool, remembers })
  const database = new DatabaseSync(join(home, 'tandem.db'))
  const insert = database.prepare(
    "INSERT INTO approvals (approval_id, run, call_id, fingerprint, prompt, answer, asked_at, answered_at) VALUES (?, 1, 'c', 'f', ?, ?, 1, ?)",
  )
  insert.run('a1', prompt('shell.exec', [echo, folder]), 'always', 20)
  insert.run('a2', prompt('shell.exec', [echo]), 'always', 10)
  insert.run('a3', prompt('fs.write', [folder]), 'this_run', 30)
  insert.run('a4', prompt('fs.write', []), 'always', 40)
  database.close()
  const store = openStore({ home, clock })
  const rows = store.sql.all`SELECT * FROM approval_rule_uses ORDER BY rule`
  store.close()
  const common = { agent_id: 'a', tool: 'shell.exec', conversation_id: 'c', device_id: 'device', last_used_at: null, uses: 0 }
  expect(rows).toEqual([
    { ...common, rule: JSON.stringify(echo), granted_at: 10 },
    { ...common, rule: JSON.stringify(folder), granted_at: 20 },
  ])
})
