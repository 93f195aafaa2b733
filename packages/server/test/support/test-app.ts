// The whole backend in one process for tests of features: real PostgreSQL, in-process cache, files in a temporary folder.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Session } from '@tandem/contract/auth'
import type { ServerMessage } from '@tandem/contract/ws'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { type AppServices, buildApp } from '../../src/app.ts'
import { openBlobs } from '../../src/blobs/blobs.ts'
import { openCache } from '../../src/cache/cache.ts'
import type { Config } from '../../src/config/config.ts'
import { updateEpoch } from '../../src/database/epoch.ts'
import { type GatewayOptions, openGateway } from '../../src/llm/gateway.ts'
import { openApiKeys } from '../../src/token/api-keys.ts'
import { openEndedSessions } from '../../src/token/ended-sessions.ts'
import { openTokens } from '../../src/token/tokens.ts'
import { testDatabase } from './test-database.ts'
import { testLlmSettings } from './test-settings.ts'

export interface TestUser {
  readonly user_id: string
  readonly email: string
  readonly password: string
  readonly session_id: string
  readonly token: string
  readonly refresh_token: string
  readonly headers: { readonly authorization: string }
}

export interface TestApp extends AsyncDisposable {
  readonly app: FastifyInstance
  readonly services: AppServices
  /** The hints that were published, in order. */
  readonly told: { user_id: string; message: ServerMessage }[]
  readonly ended: { user_id: string; session_ids: readonly string[] }[]
  /** A new account, signed in. */
  user(): Promise<TestUser>
  /** An address that no other request of the run has: rate limits count by it. */
  address(): string
  close(): Promise<void>
}

export async function testApp(
  changes: { config?: Partial<Config>; now?: () => number; services?: Partial<AppServices>; gateway?: GatewayOptions } = {},
): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-app-'))
  const { database, close: closeDatabase } = await testDatabase()
  const log = pino({ level: 'silent' })
  const cache = await openCache({ kind: 'in_process' }, () => undefined)
  const config: Config = { ...plainConfig(folder), ...changes.config }
  const told: TestApp['told'] = []
  const ended: TestApp['ended'] = []
  const now = changes.now ?? Date.now
  const gateway = openGateway({ database, cache, log: changes.services?.log ?? log, now }, config.llm, changes.gateway)
  const services: AppServices = {
    config,
    database,
    cache,
    log,
    blobs: await openBlobs({ kind: 'folder', folder: join(folder, 'files') }, () => undefined),
    tokens: openTokens(config.jwt, undefined),
    apiKeys: openApiKeys(database, now),
    endedSessions: openEndedSessions({ cache: changes.services?.cache ?? cache, database, now }),
    epoch: { current: (await updateEpoch(database.owner)).epoch },
    now,
    gateway,
    hub: {
      sockets: 0,
      tell: (user_id, message) => void told.push({ user_id, message }),
      endSessions: (user_id, session_ids) => void ended.push({ user_id, session_ids }),
    },
    ...changes.services,
  }
  const app = await buildApp(services)
  await app.ready()

  const close = async () => {
    await app.close()
    await gateway.close()
    await cache.close()
    await closeDatabase()
    await rm(folder, { recursive: true, force: true })
  }
  return { app, services, told, ended, address, user: () => register(app), close, [Symbol.asyncDispose]: close }
}

async function register(app: FastifyInstance): Promise<TestUser> {
  const email = `${randomBytes(8).toString('hex')}@example.org`
  const password = `pw ${randomBytes(8).toString('hex')}`
  const reply = await app.inject({ method: 'POST', url: '/api/v1/auth/register', remoteAddress: address(), payload: { email, password } })
  if (reply.statusCode !== 201) throw new Error(`register answered ${reply.statusCode}: ${reply.body}`)
  const session = reply.json<Session>()
  return {
    user_id: session.user.id,
    email,
    password,
    session_id: session.session_id,
    token: session.access_token,
    refresh_token: session.refresh_token,
    headers: { authorization: `Bearer ${session.access_token}` },
  }
}

let addresses = 0

function address(): string {
  addresses += 1
  return `198.18.${(addresses >> 8) & 255}.${addresses & 255}`
}

function plainConfig(folder: string): Config {
  return {
    env: 'development',
    host: '127.0.0.1',
    port: 0,
    workers: 1,
    log_level: 'error',
    platform: { kind: 'embedded', dir: folder, password: 'unused' },
    cache: { kind: 'in_process' },
    jwt: { kind: 'secret', secret: 'a-secret-of-tests-that-is-long-enough' },
    data_dir: folder,
    max_upload_bytes: 104_857_600,
    max_user_bytes: 10_737_418_240,
    max_record_bytes: 5_368_709_120,
    history_days: 0,
    cors_origins: [],
    trust_proxy: false,
    llm: testLlmSettings,
  }
}
