// The whole backend with test providers behind its model gateway.
import { Writable } from 'node:stream'
import pino from 'pino'
import { expect } from 'vitest'
import type { AppServices } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { problemLine } from '../../src/config/problem.ts'
import { newId } from '../../src/http/id.ts'
import type { GatewayOptions } from '../../src/llm/gateway.ts'
import { testApp } from './test-app.ts'
import { startTestUpstream, type TestUpstream } from './upstream.ts'

/** The keys of the providers; none of them may ever appear outside. */
export const canaries = ['sk-canary-openai-7Yq2', 'sk-ant-canary-Zt81', 'sk-canary-backup-Wm3x'] as const

export interface GatewayUser {
  readonly user_id: string
  readonly token: string
}

/** A row of the ledger, without times and ids. */
export interface LedgerRow {
  readonly operation: string
  readonly model: string
  readonly status: number
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  readonly aborted: boolean
  readonly attempts: number
}

export interface Gateway extends AsyncDisposable {
  /** Including the path of the gateway: the base URL for OpenAI's client, and for Anthropic's. */
  readonly url: string
  /** `openai/…` and `anthropic/…`. */
  readonly upstream: TestUpstream
  /** `backup/…`, which supports every API. */
  readonly backup: TestUpstream
  /** Every line logged so far. */
  readonly log: string[]
  user(): Promise<GatewayUser>
  post(
    path: string,
    user: GatewayUser,
    body: object | string,
    init?: { headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>
  /** The ended calls of a user, oldest first, when there are `count`. */
  ledger(user: GatewayUser, count: number): Promise<LedgerRow[]>
  /** Advances the clock of breakers and quotas. */
  passTime(ms: number): void
}

export interface GatewayChanges {
  /** Members of LLM_CONFIG besides the providers. */
  readonly file?: object
  readonly env?: Readonly<Record<string, string>>
  readonly options?: GatewayOptions
}

export async function startGateway({ file = {}, env = {}, options = {} }: GatewayChanges = {}): Promise<Gateway> {
  const upstream = await startTestUpstream()
  const backup = await startTestUpstream()
  const log: string[] = []
  const lines = new Writable({ write: (line, _encoding, done) => done(void log.push(String(line))) })
  let ahead = 0
  const app = await testApp({
    config: { llm: settings(upstream, backup, env, file) },
    services: { log: pino({ level: 'trace' }, lines) },
    gateway: { random: () => 0, ...options },
    now: () => Date.now() + ahead,
  })
  const url = `${await app.app.listen({ host: '127.0.0.1', port: 0 })}/api/v1/llm`
  const { services } = app
  return {
    url,
    upstream,
    backup,
    log,
    async user() {
      const user_id = newId(Date.now())
      const claims = { user_id, session_id: newId(Date.now()), email: 'mara@example.org' }
      return { user_id, token: await services.tokens.sign(claims, Date.now()) }
    },
    post: (path, { token }, body, { headers = {}, signal } = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    ledger: (user, count) => ledgerOf(services, user, count),
    passTime(ms) {
      ahead += ms
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([upstream.close(), backup.close()])
      await app.close()
    },
  }
}

/** Parsed as from the environment and the file. */
function settings(upstream: TestUpstream, backup: TestUpstream, env: Readonly<Record<string, string>>, file: object): Config['llm'] {
  const [openai, anthropic, backupKey] = canaries
  const providers = [
    { name: 'backup', base_url: `${backup.url}/v1`, key_env: 'BACKUP_KEY', dialects: ['openai', 'anthropic'] },
    { name: 'nobody', base_url: 'http://127.0.0.1:9/v1', key_env: 'BACKUP_KEY' },
    { name: 'gone', base_url: 'http://127.0.0.1:9/v1', key_env: 'BACKUP_KEY' },
  ]
  const read = readConfig(
    {
      BAAS_JWT_SECRET: 'a-secret-of-tests-that-is-long-enough-0123456789',
      BAAS_KEY: 'unused',
      OPENAI_API_KEY: openai,
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      ANTHROPIC_API_KEY: anthropic,
      ANTHROPIC_BASE_URL: upstream.url,
      BACKUP_KEY: backupKey,
      OLLAMA_HOST: 'off',
      LLM_CONFIG: 'llm.json',
      LLM_REQUESTS_PER_MINUTE: '10000',
      LLM_TOKENS_PER_MINUTE: '100000000',
      ...env,
    },
    { text: JSON.stringify({ providers, ...file }) },
  )
  if (!read.ok) throw new Error(read.problems.map(problemLine).join('\n'))
  return read.config.llm
}

async function ledgerOf({ database, gateway }: AppServices, { user_id }: GatewayUser, count: number): Promise<LedgerRow[]> {
  const read = async () => {
    // A report first writes pending rows.
    await gateway.meter.report(user_id, {})
    return await database.asUser(
      user_id,
      (sql) => sql<LedgerRow[]>`
        select operation, model, status, input_tokens::int, cached_input_tokens::int, output_tokens::int, estimated, aborted, attempts
        from tandem.model_calls where user_id = ${user_id} and ended order by ts, generation_id`,
    )
  }
  await expect.poll(async () => (await read()).length, { interval: 20 }).toBe(count)
  return [...(await read())]
}
