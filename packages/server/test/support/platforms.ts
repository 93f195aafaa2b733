// The three platforms of the backend, each started as in production: by its environment.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Server, startServer } from '../../src/main.ts'
import { startTestSupabase } from './supabase.ts'
import { testDatabase } from './test-database.ts'

export const platformNames = ['embedded', 'postgres', 'supabase'] as const
export type PlatformName = (typeof platformNames)[number]

export interface Platform extends AsyncDisposable {
  readonly url: string
  readonly env: Record<string, string>
}

const jwtSecret = 'a-secret-of-tests-that-is-long-enough-0123456789'

export async function startPlatform(name: PlatformName, extra: Record<string, string> = {}): Promise<Platform> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-platform-'))
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const env = {
    ENV: 'development',
    PORT: '0',
    DATA_DIR: folder,
    BAAS_JWT_SECRET: jwtSecret,
    ...(await platformEnv(name, folder, closers)),
    ...extra,
  }
  const server = await started(env)
  closers.push(() => server.stop())
  return {
    url: server.url,
    env,
    async [Symbol.asyncDispose]() {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

async function platformEnv(name: PlatformName, folder: string, closers: (() => Promise<unknown>)[]): Promise<Record<string, string>> {
  if (name === 'embedded') return { BAAS_URL: `embedded:${join(folder, 'embedded')}` }
  const { target, close } = await testDatabase()
  closers.push(close)
  const { host, port, user, database, socket } = target.address
  const url = `postgres://${user}@${socket === undefined ? host : encodeURIComponent(socket.slice(0, socket.lastIndexOf('/')))}:${port}/${database}`
  if (name === 'postgres') return { BAAS_URL: url, BAAS_KEY: target.password, STORAGE_URL: `file:${join(folder, 'files')}` }
  const supabase = await startTestSupabase({ database: target, folder: join(folder, 'storage'), jwt_secret: jwtSecret })
  closers.push(() => supabase.stop())
  return { BAAS_URL: supabase.url, BAAS_KEY: supabase.service_key, DATABASE_URL: url, DATABASE_PASSWORD: target.password }
}

async function started(env: Record<string, string>): Promise<Server> {
  const start = await startServer(env, { log: pino({ level: 'silent' }) })
  if (!start.ok) throw new Error(start.problems.join('\n'))
  return start.server
}
