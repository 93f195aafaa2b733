// A node of the model gateway is killed with -9 while models answer: every call has exactly one row, whether its end was received or not.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { callRoute } from '../packages/server/test/support/contract-client.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { startTestUpstream, type TestUpstream } from '../packages/server/test/support/upstream.ts'
import { emptyDatabase, type TestDatabase } from './server-database.ts'
import { type Account, openAccount } from './server-load.ts'
import { endServers, startServerProcess, type Variables } from './server-process.ts'

interface Row {
  readonly generation_id: string
  readonly ended: boolean
  readonly status: number
  readonly estimated: boolean
  readonly input_tokens: number
}

let folder: string
let database: TestDatabase
let upstream: TestUpstream
let variables: Variables
let sql: postgres.Sql

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tandem-gateway-kill-'))
  database = await emptyDatabase()
  upstream = await startTestUpstream()
  variables = {
    ...{ BAAS_URL: database.url, BAAS_KEY: database.password, DATA_DIR: folder, STORAGE_URL: `file:${folder}/files`, LOG_LEVEL: 'warn' },
    ...{ OPENAI_API_KEY: 'sk-of-a-test', OPENAI_BASE_URL: `${upstream.url}/v1`, OLLAMA_HOST: 'off' },
  }
  const { address } = inject('postgres')
  sql = postgres({
    ...{ host: address.host, port: address.port, user: address.user, password: database.password, max: 1, fetch_types: false },
    ...(address.socket === undefined ? {} : { path: address.socket }),
    database: database.url.slice(database.url.lastIndexOf('/') + 1),
  })
})
afterEach(endServers)
afterAll(async () => {
  await sql.end({ timeout: 5 })
  await upstream.close()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const body = { model: 'openai/gpt-test', messages: [{ role: 'user', content: 'Hello' }], stream: true }

/** The calls of a user, read from PostgreSQL directly: a request to the node would make it write. */
const rowsOf = async ({ user_id }: Account): Promise<Row[]> => [
  ...(await sql<Row[]>`
    select generation_id, ended, status, estimated, input_tokens::int from tandem.model_calls where user_id = ${user_id} order by generation_id`),
]

/** Resolves with the id of the call once its first byte has arrived; the rest may break off. */
async function call(url: string, { token }: Account): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const reply = await fetch(`${url}/api/v1/llm/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })
  reply.text().catch(() => undefined)
  const id = reply.headers.get('x-generation-id')
  if (reply.status !== 200 || id === null) throw new Error(`answered ${reply.status}`)
  return id
}

test('ended calls and calls in progress all have their row when the node is killed, and the next node reports them', async () => {
  const node = await startServerProcess(variables)
  const accounts = await Promise.all([openAccount(node.url), openAccount(node.url)])
  const well = await Promise.all(accounts.flatMap((account) => [call(node.url, account), call(node.url, account), call(node.url, account)]))
  upstream.always({ writes: 3, end: 'hang' })
  const cut = await Promise.all(accounts.flatMap((account) => [call(node.url, account), call(node.url, account)]))
  // No request triggers it: they are written automatically.
  await waitFor(async () => (await Promise.all(accounts.map(rowsOf))).flat().filter(({ ended }) => ended).length === well.length, 20_000)
  await waitFor(async () => (await Promise.all(accounts.map(rowsOf))).flat().length === well.length + cut.length, 20_000)
  await node.kill()
  upstream.always({})

  await using again = await startServerProcess(variables)
  for (const [index, account] of accounts.entries()) {
    const rows = await rowsOf(account)
    const own = new Set([...well.slice(index * 3, index * 3 + 3), ...cut.slice(index * 2, index * 2 + 2)])
    expect(new Set(rows.map(({ generation_id }) => generation_id))).toEqual(own)
    expect(rows.filter(({ ended }) => ended).map(({ status, estimated }) => [status, estimated])).toEqual([1, 2, 3].map(() => [200, false]))
    const open = rows.filter(({ ended }) => !ended)
    expect(open.map(({ status, estimated, input_tokens }) => [status, estimated, input_tokens > 0])).toEqual(
      [1, 2].map(() => [0, true, true]),
    )
    const usage = await callRoute(again.url, 'llm_usage', { token: account.token })
    expect(usage.body.totals).toMatchObject({ requests: 5, failed_requests: 0 })
  }
})

test('killed at any moment under load: each user loses only the newest calls, those since the last write', async () => {
  const node = await startServerProcess(variables)
  const accounts = await Promise.all([openAccount(node.url), openAccount(node.url), openAccount(node.url)])
  const begun = accounts.map((): string[] => [])
  let running = true
  const load = accounts.map(async (account, index) => {
    // One after the other: the order in which they started is the order of this list.
    while (running) {
      const generation_id = await call(node.url, account).catch(() => undefined)
      if (generation_id !== undefined) begun[index]?.push(generation_id)
    }
  })
  await waitFor(async () => (await Promise.all(accounts.map(rowsOf))).every((rows) => rows.length > 20), 40_000)
  await node.kill()
  running = false
  await Promise.all(load)
  for (const [index, account] of accounts.entries()) {
    const kept = (await rowsOf(account)).map(({ generation_id }) => generation_id)
    const own = begun[index] ?? []
    expect(new Set(kept).size).toBe(kept.length)
    expect(kept.length).toBeGreaterThan(20)
    const firstLost = own.findIndex((id) => !kept.includes(id))
    expect(firstLost === -1 ? [] : own.slice(firstLost).filter((id) => kept.includes(id))).toEqual([])
  }
})
