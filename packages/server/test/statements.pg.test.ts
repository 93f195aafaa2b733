// Every statement that the server sends, as PostgreSQL logs it: none of a kind that Citus cannot distribute by user.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Route } from '@tandem/contract/http'
import { type RouteId, routes } from '@tandem/contract/http/schema'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer } from '../src/main.ts'
import { callRoute, type Reply } from './support/contract-client.ts'
import { facts } from './support/test-change.ts'
import { startTestCluster, type TestCluster } from './support/test-cluster.ts'
import { waitFor } from './support/test-wait.ts'
import { createUserWithData } from './support/user-with-data.ts'
import { validRequest } from './support/valid-request.ts'

const mark = '@@@'
let cluster: TestCluster
let folder: string
const logged: string[] = []
let statements: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-statements-'))
  cluster = await startTestCluster({
    settings: { log_statement: 'all', log_line_prefix: `${mark}%a ` },
    log: (text) => logged.push(text),
  })
  const { host, port, user, database } = cluster.address
  const start = await startServer(
    {
      ...{ PORT: '0', DATA_DIR: folder, BAAS_URL: `postgres://${user}@${host}:${port}/${database}`, BAAS_KEY: cluster.password },
      ...{ STORAGE_URL: `file:${join(folder, 'files')}`, BAAS_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-0123456789' },
      ...{ OLLAMA_HOST: 'off' },
    },
    { log: pino({ level: 'silent' }) },
  )
  if (!start.ok) throw new Error(start.problems.join('\n'))
  await callEverything(start.server.url)
  await start.server.stop()
  // What PostgreSQL logged before this is complete.
  await cluster.admin((sql) => sql`select 'the end of the log'`)
  await waitFor(() => logged.join('').includes('the end of the log'), 30_000)
  statements = logged
    .join('')
    .split(mark)
    .map((entry) => /^tandem LOG: {2}(?:statement|execute [^:]+): (.*)$/s.exec(entry)?.[1]?.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== undefined)
})
afterAll(async () => {
  await cluster?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function callEverything(url: string): Promise<void> {
  const user = await createUserWithData(url)
  const signedIn = Object.values(routes).filter((route: Route) => route.method !== 'WS' && route.auth === 'user')
  const last: RouteId[] = ['users_devices_delete', 'files_delete', 'workflows_delete', 'users_keys_revoke', 'auth_logout']
  const password = 'seven slow rivers at dusk'
  const leave = new Set<RouteId>([...last, 'auth_password', 'users_delete'])
  const failed: [RouteId, Reply][] = []
  const note = (id: RouteId, reply: Reply): Reply => {
    // No provider has the models of the examples.
    if (reply.status >= 400 && !id.startsWith('llm_')) failed.push([id, reply])
    return reply
  }
  for (const { id } of signedIn.filter((route) => !leave.has(route.id))) note(id, await user.call(id, validRequest(id, user)))
  for (const round of ['one', 'two']) {
    note('sync_push', await user.call('sync_push', { body: { device_id: 'laptop', changes: facts(round, 2) } }))
  }
  await user.call('llm_chat_completions', { body: { model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] } })
  for (const id of last) note(id, await user.call(id, validRequest(id, user)))

  const session = note('auth_login', await callRoute(url, 'auth_login', { body: { email: user.email, password: user.password } }))
  const { access_token: token, refresh_token } = session.body
  const change = { current_password: user.password, new_password: password }
  note('auth_password', await callRoute(url, 'auth_password', { token, body: change }))
  note('auth_refresh', await callRoute(url, 'auth_refresh', { body: { refresh_token } }))
  note('users_delete', await callRoute(url, 'users_delete', { token, body: { password } }))
  expect(failed).toEqual([])
  await callRoute(url, 'ready')
}

/** Without the texts of migrations, which run once, on the coordinator. */
const issued = () =>
  statements.filter((statement) => !/create (table|function|policy|schema)|alter (table|policy)|do \$\$/i.test(statement))

test('the log contains the statements of every feature', () => {
  const tables = ['sync_entities', 'devices', 'workflows', 'tasks', 'files', 'log_records', 'model_calls', 'sessions', 'api_keys']
  expect(tables.filter((table) => !issued().some((statement) => statement.includes(`insert into tandem.${table}`)))).toEqual([])
})

test('the log contains the change of a password, a refresh and the deletion of an account', () => {
  const some = ['update tandem.credentials', 'update tandem.sessions', 'delete from tandem.users', 'delete from tandem.email_directory']
  expect(some.filter((start) => !issued().some((statement) => statement.startsWith(start)))).toEqual([])
})

test('settings are made with `set local`, which Citus forwards, and never with set_config', () => {
  expect(issued().filter((statement) => /set_config/i.test(statement))).toEqual([])
  expect(issued().filter((statement) => /^set (?!local)/i.test(statement))).toEqual([])
  expect(issued().some((statement) => /^set local role = 'tandem_app'; set local app\.user_id = '[0-9a-f-]{36}'$/.test(statement))).toBe(
    true,
  )
})

test('no statement is COPY, and no insert of a query becomes one', () => {
  expect(issued().filter((statement) => /^copy\b/i.test(statement))).toEqual([])
  const inserts = issued().flatMap(
    (statement) => statement.match(/insert into tandem\..*?(?=, updated as| update tandem|\) insert|$)/gis) ?? [],
  )
  const ofQueries = inserts.filter((insert) => !/^insert into tandem\.\S+( as \S+)? (\([^)]*\))? ?values/i.test(insert))
  expect(ofQueries.length).toBeGreaterThan(2)
  expect(ofQueries.filter((insert) => !/on conflict|returning/i.test(insert))).toEqual([])
})

test('every statement on rows of users names the user', () => {
  const exempt = /tandem\.(email_directory|server_epoch|schema_migrations)|^(begin|commit|rollback|set local|select pg_advisory)/i
  const onRows = issued().filter((statement) => /tandem\./.test(statement) && !exempt.test(statement))
  expect(onRows.length).toBeGreaterThan(30)
  expect(onRows.filter((statement) => !/user_id/.test(statement))).toEqual([])
})

test('a push of a known device sends three statements, after all settings in one text', () => {
  const all = issued()
  const write = all.findLastIndex((statement) => /^with inserted as .*tandem\.sync_heads/.test(statement))
  const begin = all.lastIndexOf('begin isolation level read committed', write)
  const user = '[0-9a-f-]{36}'
  const plan = ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'].map((name) => `set local enable_${name} = off`).join('; ')
  expect(all.slice(begin + 1, write + 1)).toEqual([
    expect.stringMatching(new RegExp(`^set local role = 'tandem_app'; set local app\\.user_id = '${user}'; ${plan}$`)),
    expect.stringMatching(/^select .* exists \(select from tandem\.devices .*\) as knows_device from tandem\.sync_heads .* for update$/),
    expect.stringMatching(/^select place, .* from tandem\.sync_entities where user_id = /),
    expect.stringMatching(/^with inserted as /),
  ])
})
