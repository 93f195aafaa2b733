// What the socket benchmark compares, each in its own process: our backend, bare `ws`, and the changes feed of pouchdb-server.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { subprotocolsWithToken } from '@tandem/contract/ws'
import { WebSocket } from 'ws'
import { openCache } from '../packages/server/src/cache/cache.ts'
import { newId } from '../packages/server/src/http/id.ts'
import { openHub } from '../packages/server/src/realtime/hub.ts'
import { openTokens } from '../packages/server/src/token/tokens.ts'
import { startTestRedis } from '../packages/server/test/support/test-redis.ts'
import type { Peer } from './peer.ts'

/** A hint was received. */
export type HintReceived = () => void

export interface Subject {
  readonly pid: number
  /** Opens another idle connection of a user, ready to receive. */
  listen(user: number, heard: HintReceived): Promise<{ close(): void }>
  /** The write that the connections of the user should be notified of. */
  write(user: number, round: number): Promise<void>
  /** Only the hint, sent by another node: the delay without the write. */
  tell?(user: number): Promise<void>
  /** Releases unused memory, as far as that can be requested. */
  settle(): Promise<void>
  stop(): Promise<void>
}

/** Lets the peer release its free memory too, on request. */
const collectOnSignal = `process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))`

const serverScript = join(import.meta.dirname, 'ws-server.ts')

export async function startBackend(): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const secret = randomBytes(48).toString('base64')
  const redis = await startTestRedis()
  const settings = [`BAAS_URL=embedded:${folder}`, `BAAS_JWT_SECRET=${secret}`, `CACHE_URL=${redis.url}`]
  const child = await startServerScript('backend', ...settings, 'PORT=0', 'LOG_LEVEL=error', 'TRUST_PROXY=loopback')
  const cache = await openCache({ kind: 'redis', url: redis.url }, () => undefined)
  const otherNode = openHub(cache, () => undefined)
  const tokens = openTokens({ kind: 'secret', secret }, undefined)
  const tokensOf = new Map<number, Promise<string>>()
  const idsOf = new Map<number, string>()
  const idOf = (user: number): string => {
    const id = idsOf.get(user) ?? newId(Date.now())
    idsOf.set(user, id)
    return id
  }
  const tokenOf = (user: number): Promise<string> => {
    const claims = { user_id: idOf(user), session_id: newId(Date.now()), email: 'mara@example.org' }
    const token = tokensOf.get(user) ?? tokens.sign(claims, Date.now())
    tokensOf.set(user, token)
    return token
  }
  const agent = new Agent({ keepAlive: true })
  let arrivals = 0
  return {
    ...child,
    async listen(user, heard) {
      arrivals += 1
      // Rate limits count by address; there are as many addresses as sockets.
      const headers = { 'x-forwarded-for': `10.${(arrivals >> 16) & 255}.${(arrivals >> 8) & 255}.${arrivals & 255}` }
      const socket = new WebSocket(`${child.url.replace('http', 'ws')}/ws`, subprotocolsWithToken(await tokenOf(user)), { headers })
      const hello = Promise.withResolvers<void>()
      socket.on('message', (data) => {
        const { type }: { type: string } = JSON.parse(data.toString())
        if (type === 'hello') hello.resolve()
        else if (type === 'sync.changed') heard()
      })
      socket.on('error', hello.reject).on('close', (code) => hello.reject(new Error(`closed with ${code}`)))
      await hello.promise
      return { close: () => socket.terminate() }
    },
    async write(user, round) {
      const now = new Date().toISOString()
      const change = { entity_type: 'agents', entity_id: `agent-${user}`, op: 'upsert', version: round, updated_at: now, source_ts: now }
      const body = { device_id: 'bench', changes: [{ ...change, payload: { name: `agent ${round}` } }] }
      await send(agent, 'POST', `${child.url}/api/v1/sync/push`, body, {
        authorization: `Bearer ${await tokenOf(user)}`,
        'x-forwarded-for': `10.99.0.${user % 250}`,
      })
    },
    async tell(user) {
      const cursor_ts = new Date().toISOString()
      otherNode.tell(idOf(user), { type: 'sync.changed', cursor_ts, entity_types: ['agents'], device_id: 'bench' })
    },
    async stop() {
      agent.destroy()
      await child.stop()
      await otherNode.close()
      await cache.close()
      await redis.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function startBare(): Promise<Subject> {
  const child = await startServerScript('bare')
  const sockets = new Map<number, WebSocket>()
  return {
    ...child,
    async listen(user, heard) {
      const socket = new WebSocket(`${child.url.replace('http', 'ws')}/${user}`)
      sockets.set(user, socket)
      await once(socket, 'open')
      socket.on('message', heard)
      return { close: () => socket.terminate() }
    },
    async write(user, round) {
      sockets.get(user)?.send(JSON.stringify({ type: 'sync.changed', round }))
    },
  }
}

/** One database per user, as is usual there, in memory. */
export async function startPouch(peer: Peer): Promise<Subject> {
  const port = await freePort()
  const script = join(peer.folder, 'node_modules/pouchdb-server/bin/pouchdb-server')
  const options = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(collectOnSignal)}`]
  const child = spawn(process.execPath, [...options, script, '--host', '127.0.0.1', '--port', String(port), '--in-memory'], {
    cwd: peer.folder,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  const agent = new Agent({ keepAlive: true })
  const databases = new Map<number, Promise<void>>()
  const databaseOf = (user: number): Promise<void> => {
    const made = databases.get(user) ?? send(agent, 'PUT', `${url}/user-${user}`)
    databases.set(user, made)
    return made
  }
  for (let tries = 0; ; tries += 1) {
    const up = await send(agent, 'GET', `${url}/`).then(
      () => true,
      () => false,
    )
    if (up) break
    if (tries > 100) throw new Error('pouchdb-server does not answer')
    await sleep(200)
  }
  return {
    pid: pidOf(child),
    async listen(user, heard) {
      await databaseOf(user)
      const feed = request(`${url}/user-${user}/_changes?feed=continuous&since=now&heartbeat=1000`, { agent: false })
      const ready = Promise.withResolvers<void>()
      feed.on('error', ready.reject).end()
      feed.on('response', (response) => {
        response.on('data', (chunk: Buffer) => {
          // An empty line is a heartbeat of the feed.
          ready.resolve()
          if (chunk.includes('"seq"')) heard()
        })
        response.on('error', () => undefined)
      })
      await ready.promise
      feed.removeAllListeners('error').on('error', () => undefined)
      return { close: () => feed.destroy() }
    },
    async write(user, round) {
      await send(agent, 'POST', `${url}/user-${user}`, { _id: `agent-${round}`, name: `agent ${round}` })
    },
    async settle() {
      await sleep(2_000)
      child.kill('SIGUSR2')
      await sleep(3_000)
    },
    async stop() {
      agent.destroy()
      await end(child, 'SIGKILL')
    },
  }
}

async function startServerScript(...args: string[]) {
  const child = fork(serverScript, args, { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const failed = once(child, 'exit').then(() => {
    throw new Error('the server ended at its start')
  })
  const [{ url }] = await Promise.race([once(child, 'message'), failed])
  failed.catch(() => undefined)
  return {
    pid: pidOf(child),
    url: String(url),
    async settle() {
      await sleep(2_000)
      child.send('settle')
      await once(child, 'message')
    },
    stop: () => end(child, 'SIGTERM'),
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('the process did not start')
  return pid
}

async function send(agent: Agent, method: string, url: string, body?: object, headers: Record<string, string> = {}): Promise<void> {
  const call = request(url, { method, agent, headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) } })
  call.end(body && JSON.stringify(body))
  const [response] = await once(call, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${text}`)
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
