// The peer of the sync benchmark: pouchdb-server, in memory, one database per user. It stores nothing on disk; we do.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '@tandem/contract/sync'
import { installPeer } from './peer.ts'
import { type BenchConnection, openBenchConnection, tailField } from './sync-connection.ts'

export interface PouchServer {
  readonly base: string
  readonly pid: number
  user(name: string): Promise<PouchUser>
  stop(): Promise<void>
}

export interface PouchUser {
  push(body: Buffer): Promise<Buffer>
  pullAll(): Promise<Buffer[]>
  close(): void
}

export async function startPouchServer({ core }: { core?: number } = {}): Promise<PouchServer> {
  const peer = installPeer({ 'pouchdb-server': '4.2.0' })
  const port = await freePort()
  const program = join(peer.folder, 'node_modules/pouchdb-server/bin/pouchdb-server')
  const args = [program, '--host', '127.0.0.1', '--port', String(port), '--in-memory', '--no-stdout-logs']
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)]
  const [command = process.execPath, ...rest] = [...pinned, process.execPath, ...args]
  const server = spawn(command, rest, { cwd: peer.folder, stdio: 'ignore' })
  const base = `http://127.0.0.1:${port}`
  await answering(server, base)

  return {
    base,
    pid: server.pid ?? 0,
    async user(name) {
      const wire = openBenchConnection(base)
      await wire.send('PUT', `/${name}`)
      return {
        push: (body) => wire.send('POST', `/${name}/_bulk_docs`, body),
        pullAll: () => pullAll(wire, name),
        close: () => wire.close(),
      }
    },
    async stop() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      peer.remove()
    },
  }
}

export function bulkBody(changes: readonly Change[]): Buffer {
  return Buffer.from(JSON.stringify({ docs: changes.map(({ entity_id, ...rest }) => ({ _id: entity_id, ...rest })) }))
}

async function pullAll(wire: BenchConnection, name: string): Promise<Buffer[]> {
  const pages: Buffer[] = []
  for (let since = '0'; ; ) {
    const page = await wire.send('GET', `/${name}/_changes?include_docs=true&limit=500&since=${since}`)
    const last = tailField(page, 'last_seq')
    if (last === since) return pages
    pages.push(page)
    since = last
  }
}

async function answering(server: ChildProcess, base: string): Promise<void> {
  const wire = openBenchConnection(base)
  for (let tries = 0; tries < 300; tries += 1) {
    if (server.exitCode !== null) throw new Error(`pouchdb-server ended with ${server.exitCode}`)
    const up = await wire.send('GET', '/').then(
      () => true,
      () => false,
    )
    if (up) return wire.close()
    await sleep(100)
  }
  throw new Error('pouchdb-server did not answer within 30 s')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
