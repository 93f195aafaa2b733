// What the gateway benchmark compares, each in its own process, by default on core 0: our backend, Portkey's gateway, a bare proxy, and no gateway.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@tandem/contract/limits'
import { newId } from '../packages/server/src/http/id.ts'
import { openTokens } from '../packages/server/src/token/tokens.ts'
import { type CreateRequest, post } from './gateway-load.ts'
import type { Peer } from './peer.ts'
import { startBenchRedis } from './redis.ts'

/** As `taskset` takes them: `0`, `0-3`. */
export type Cores = string

export interface Subject {
  readonly url: string
  ask(stream: boolean): CreateRequest
  /** Bytes in use, after a garbage collection. */
  resident(): Promise<number>
  /** Milliseconds of CPU time so far, including its database. Other load on the machine affects it less than it affects a rate. */
  worked(): number
  stop(): Promise<void>
}

/** A short conversation, as agents send thousands of them. */
const conversation = [
  { role: 'system', content: 'You are a helpful assistant. '.repeat(20) },
  { role: 'user', content: 'Is everything well? '.repeat(40) },
]
const bodyFor = (model: string, stream: boolean) => ({ model, messages: conversation, ...(stream ? { stream: true } : {}) })
/** Consecutive calls of one user: fewer than the limit per minute. Each caller is another user. */
const callsOfUser = 200
const serverScript = join(import.meta.dirname, 'gateway-server.ts')

/** The provider, on the same core as the load. */
export async function startUpstream(cores: Cores = '1'): Promise<Subject> {
  const child = await startScript(cores, 'upstream')
  return { ...child, ask: (stream) => constant(post('/v1/chat/completions', {}, bodyFor('mock', stream))) }
}

export async function startBare(upstream: string, cores: Cores = '0'): Promise<Subject> {
  const child = await startScript(cores, 'bare', upstream)
  return { ...child, ask: (stream) => constant(post('/v1/chat/completions', {}, bodyFor('mock', stream))) }
}

/** With `workers`, it has that many processes and a Redis. */
export async function startTandem(upstream: string, cores: Cores = '0', workers?: number): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const secret = randomBytes(48).toString('base64')
  const redis = workers === undefined ? undefined : await startBenchRedis()
  const child = await startScript(
    cores,
    'backend',
    `BAAS_URL=embedded:${folder}`,
    `BAAS_JWT_SECRET=${secret}`,
    'PORT=0',
    'LOG_LEVEL=error',
    // Rate limits count by address; each user has its own.
    'TRUST_PROXY=loopback',
    'OPENAI_API_KEY=sk-bench',
    `OPENAI_BASE_URL=${upstream}/v1`,
    'LLM_REQUESTS_PER_MINUTE=1000000',
    'LLM_TOKENS_PER_MINUTE=1000000000',
    ...(redis ? [`WORKERS=${workers}`, `CACHE_URL=${redis.url}`] : []),
  )
  const tokens = openTokens({ kind: 'secret', secret }, undefined)
  /** Signed when it is needed, and again before it expires: a run may last longer than a token. */
  async function requestsOf(user: number, user_id: string): Promise<Requests> {
    const signed = Date.now()
    const claims = { user_id, session_id: newId(signed), email: 'mara@example.org' }
    const headers = {
      authorization: `Bearer ${await tokens.sign(claims, signed)}`,
      'x-forwarded-for': `10.${(user >> 16) & 255}.${(user >> 8) & 255}.${user & 255}`,
    }
    const request = (stream: boolean) => post('/api/v1/llm/chat/completions', headers, bodyFor('openai/mock', stream))
    return { whole: request(false), stream: request(true), until: signed + (limits.access_token_seconds * 1_000) / 2 }
  }
  const renew = async (turn: Turn) => {
    turn.requests = await requestsOf(turn.user, turn.user_id)
    return turn.requests
  }
  let arrived = 0
  const now = new Map<number, Turn>()
  return {
    ...child,
    worked: () => child.worked() + (redis ? processorTime(redis.pid) : 0),
    ask: (stream) => (caller) => {
      let turn = now.get(caller)
      if (!turn || turn.left === 0) {
        turn = { user: arrived, user_id: newId(Date.now()), left: callsOfUser, requests: undefined }
        arrived += 1
        now.set(caller, turn)
      }
      turn.left -= 1
      const { requests } = turn
      const kind = stream ? 'stream' : 'whole'
      if (requests && Date.now() < requests.until) return requests[kind]
      return renew(turn).then((fresh) => fresh[kind])
    },
    async stop() {
      await child.stop()
      await redis?.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Requests {
  readonly whole: Buffer
  readonly stream: Buffer
  /** In milliseconds since 1970. */
  readonly until: number
}

/** A user's consecutive calls, by one caller. */
interface Turn {
  readonly user: number
  readonly user_id: string
  left: number
  requests: Requests | undefined
}

/** Binds every address of the machine by default, and releases free memory only on request. */
const preload = `const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (port, ...rest) {
  const callback = rest.find((one) => typeof one === 'function')
  return listen.call(this, { port: Number(typeof port === 'object' ? port.port : port), host: '127.0.0.1' }, callback)
}
process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))
`

export async function startPortkey(peer: Peer, upstream: string, cores: Cores = '0'): Promise<Subject> {
  const port = await freePort()
  writeFileSync(join(peer.folder, 'loopback.cjs'), preload)
  const script = join(peer.folder, 'node_modules/@portkey-ai/gateway/build/start-server.js')
  const args = [
    '-c',
    cores,
    process.execPath,
    '--expose-gc',
    '-r',
    join(peer.folder, 'loopback.cjs'),
    script,
    `--port=${port}`,
    '--headless',
  ]
  const child = spawn('taskset', args, { cwd: peer.folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await answers(url)); tries += 1) {
    if (tries > 100 || child.exitCode !== null) throw new Error('the gateway of Portkey does not answer')
    await sleep(200)
  }
  const headers = { authorization: 'Bearer sk-bench', 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstream}/v1` }
  return {
    url,
    ask: (stream) => constant(post('/v1/chat/completions', headers, bodyFor('mock', stream))),
    async resident() {
      await sleep(1_000)
      child.kill('SIGUSR2')
      await sleep(1_000)
      return residentBytes(pidOf(child))
    },
    worked: () => processorTime(pidOf(child)),
    stop: () => end(child),
  }
}

function constant(request: Buffer): CreateRequest {
  return () => request
}

async function startScript(cores: Cores, ...args: string[]) {
  const child = spawn('taskset', ['-c', cores, process.execPath, '--expose-gc', serverScript, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const failed = once(child, 'exit').then(() => {
    throw new Error(`the server "${args[0]}" ended at its start`)
  })
  const [{ url }] = await Promise.race([once(child, 'message'), failed])
  failed.catch(() => undefined)
  return {
    url: String(url),
    async resident() {
      await sleep(1_000)
      child.send('settle')
      await once(child, 'message')
      await sleep(200)
      return residentBytes(pidOf(child))
    },
    worked: () => processorTime(pidOf(child)),
    stop: () => end(child),
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process did not start')
  return pid
}

function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Of a process and all its descendants, running and ended. */
function processorTime(root: number): number {
  const tick = 10
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)))
  const family = new Set([root])
  for (let before = 0; before < family.size; ) {
    before = family.size
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid)
  }
  return all.filter(({ pid }) => family.has(pid)).reduce((sum, { ticks }) => sum + ticks * tick, 0)
}

function statOf(pid: number): { pid: number; parent: number; ticks: number }[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return [{ pid, parent: Number(fields[1]), ticks: [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) }]
  } catch {
    // Ended in the meantime.
    return []
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status < 500
  } catch {
    // Not running yet.
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
