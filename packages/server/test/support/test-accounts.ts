// The account endpoints alone, over HTTP, on a real PostgreSQL with a test clock.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '@tandem/contract/auth'
import Fastify, { type FastifyInstance, type InjectOptions } from 'fastify'
import pino from 'pino'
import type { AccountServices } from '../../src/account/accounts.ts'
import { accountEndpoints } from '../../src/account/endpoints.ts'
import { openBlobs } from '../../src/blobs/blobs.ts'
import { openInProcessCache } from '../../src/cache/in-process.ts'
import type { Config } from '../../src/config/config.ts'
import type { Platform } from '../../src/config/platform.ts'
import type { DatabaseTarget } from '../../src/database/database.ts'
import { countOpenRequests, openAdmission } from '../../src/http/admission/admission.ts'
import { register } from '../../src/http/endpoint.ts'
import { registerErrorHandler } from '../../src/http/failure.ts'
import { openApiKeys } from '../../src/token/api-keys.ts'
import { openEndedSessions } from '../../src/token/ended-sessions.ts'
import { openTokens } from '../../src/token/tokens.ts'
import { startTestSupabase, type TestSupabase } from './supabase.ts'
import { testDatabase } from './test-database.ts'
import { testLlmSettings } from './test-settings.ts'

export const testSecret = 'a-secret-of-the-tests-that-is-long-enough-0123456789'
export const goodPassword = 'four green lanterns'

export interface TestAccounts extends AsyncDisposable {
  readonly services: AccountServices
  readonly ended: { user_id: string; session_ids: readonly string[] }[]
  readonly logged: string[]
  /** Undefined on the built-in platform. */
  readonly supabase: SupabaseProject | undefined
  /** Advances the clock. */
  pass(seconds: number): void
  /** Below `/api/v1/auth/`. */
  post(path: string, payload: object, token?: string): Promise<Answer>
  /** Any route, with a session or an API key. */
  call(method: 'GET' | 'POST' | 'DELETE', path: string, token: string, payload?: object): Promise<Answer>
  loginFrom(address: string, payload: object): Promise<Answer>
  ask(options: InjectOptions): Promise<Answer>
  /** Registers, and fails the test if it is refused. */
  newUser(email: string, more?: object): Promise<Session>
}

interface SupabaseProject extends TestSupabase {
  readonly platform: Extract<Platform, { kind: 'supabase' }>
}

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

export async function testAccounts(
  platform: 'built-in' | 'supabase',
  options: { confirmations?: boolean; services?: Partial<AccountServices> } = {},
): Promise<TestAccounts> {
  const { database, target, close: closeDatabase } = await testDatabase()
  const supabase = platform === 'supabase' ? await supabaseProject(target, options.confirmations ?? false) : undefined
  let offset = 0
  const now = () => Date.now() + offset
  const cache = openInProcessCache({ log: () => undefined, clock: { now, every: () => () => undefined } })
  const ended: TestAccounts['ended'] = []
  const logged: string[] = []
  const config = configFor(supabase)
  const folder = await mkdtemp(join(tmpdir(), 'tandem-account-files-'))
  const services: AccountServices = {
    config,
    database,
    cache,
    blobs: await openBlobs({ kind: 'folder', folder }, () => undefined),
    tokens: openTokens(config.jwt, undefined),
    endedSessions: openEndedSessions({ cache, database, now }),
    hub: { sockets: 0, tell: () => undefined, endSessions: (user_id, session_ids) => void ended.push({ user_id, session_ids }) },
    log: pino({ level: 'info' }, { write: (line: string) => void logged.push(line) }),
    now,
    ...options.services,
  }
  const app = await serve(services)
  const ask = async (request: InjectOptions): Promise<Answer> => {
    const reply = await app.inject({ remoteAddress: address(), ...request })
    return { status: reply.statusCode, body: reply.body === '' ? undefined : reply.json(), headers: reply.headers }
  }
  const post = (path: string, payload: object, token?: string) =>
    ask({ method: 'POST', url: `/api/v1/auth/${path}`, payload, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

  return {
    services,
    ended,
    logged,
    supabase,
    pass(seconds) {
      offset += seconds * 1000
    },
    post,
    ask,
    call: (method, path, token, payload) =>
      ask({ method, url: `/api/v1/${path}`, headers: { authorization: `Bearer ${token}` }, ...(payload ? { payload } : {}) }),
    loginFrom: (remoteAddress, payload) => ask({ method: 'POST', url: '/api/v1/auth/login', payload, remoteAddress }),
    async newUser(email, more = {}) {
      const { status, body } = await post('register', { email, password: goodPassword, ...more })
      if (status !== 201) throw new Error(`register answered ${status}: ${JSON.stringify(body)}`)
      return body as Session
    },
    async [Symbol.asyncDispose]() {
      await app.close()
      await supabase?.stop()
      await cache.close()
      await closeDatabase()
      await rm(folder, { recursive: true })
    },
  }
}

async function supabaseProject(database: DatabaseTarget, confirmations: boolean): Promise<SupabaseProject> {
  const { host, port, user, database: name } = database.address
  const project = await startTestSupabase({
    database,
    folder: join(tmpdir(), `tandem-accounts-${name}`),
    jwt_secret: testSecret,
    confirmations,
  })
  const { url, service_key } = project
  const database_url = `postgres://${user}@${host}:${port}/${name}`
  return { ...project, platform: { kind: 'supabase', url, service_key, database_url, database_password: database.password } }
}

async function serve(services: AccountServices): Promise<FastifyInstance> {
  const app = Fastify()
  app.decorateRequest('caller', undefined)
  registerErrorHandler(app)
  const gate = {
    ...services,
    apiKeys: openApiKeys(services.database, services.now),
    admission: openAdmission({
      places: 32,
      places_per_user: 32,
      queue: 64,
      queue_per_user: 64,
      patience_ms: 30_000,
      standing_ms: 1_000,
    }),
    openRequests: countOpenRequests({ requests: 40, model_calls: 40 }),
  }
  for (const one of accountEndpoints(services)) register(app, gate, one)
  await app.ready()
  return app
}

/** By default every request has its own address: rate limits per address are not tested here. */
let addresses = 0
function address(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

function configFor(supabase: SupabaseProject | undefined): Config {
  return {
    env: 'development',
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    log_level: 'info',
    platform: supabase?.platform ?? { kind: 'embedded', dir: '/nowhere', password: 'unused' },
    cache: { kind: 'in_process' },
    jwt: { kind: 'secret', secret: testSecret },
    data_dir: '/nowhere',
    max_upload_bytes: 1,
    max_user_bytes: 10_737_418_240,
    max_record_bytes: 5_368_709_120,
    history_days: 0,
    cors_origins: [],
    trust_proxy: false,
    llm: testLlmSettings,
  }
}
