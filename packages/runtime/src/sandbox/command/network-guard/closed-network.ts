// The network of commands that may reach no host. Nothing is ever connected, so it needs no guard process: this process refuses each
// connection itself and reports what it was to. Each running command has a socket of its own, which tells whose connection it is.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Violation } from '../../../call/scope.ts'
import { findProgram } from '../../../path/program.ts'
import { type Entrance, openEntrance, ports } from './linux-entrance.ts'
import type { NetworkAccess } from './network-guard.ts'
import { answerTo, type Stage } from './refusal.ts'

export interface ClosedNetwork {
  admit(refused: (violation: Violation) => void): Promise<{ readonly access: NetworkAccess; release(): void }>
  /** Called when no command is left. */
  close(): void
}

/** At most this many connections at once, and hosts that are reported, of one command. */
const most = 1_000
/** A client that has connected says what it wants at once. */
const silence_ms = 5_000
/** Before a socket is used again: what the last command had still sent must not be taken for the next one's. */
const rest_ms = 100
/** The longest path that the address of a socket can hold on every system. */
const longestPath = 100

/** Throws if this machine lacks a requirement; the message names it. */
export async function openClosedNetwork(): Promise<ClosedNetwork> {
  const entrance = await openEntrance(findProgram(['socat']))
  let folder: string | null = null
  const all = new Set<RefusingProxy>()
  /** Of commands that have ended: opening another one takes longer. */
  const free: RefusingProxy[] = []

  async function newProxy(): Promise<RefusingProxy> {
    folder ??= newFolder()
    const proxy = await openRefusingProxy(join(folder, randomBytes(8).toString('hex')))
    all.add(proxy)
    return proxy
  }

  return {
    async admit(refused) {
      const proxy = free.pop() ?? (await newProxy())
      proxy.begin(refused)
      return {
        access: accessTo(entrance, proxy.socket),
        release() {
          proxy.end()
          setTimeout(() => all.has(proxy) && free.push(proxy), rest_ms).unref()
        },
      }
    },
    close() {
      for (const proxy of all) proxy.close()
      all.clear()
      free.length = 0
      if (folder !== null) rmSync(folder, { recursive: true, force: true })
      folder = null
    },
  }
}

/** The proxy asks for no token, but programs are given one: what they do depends on it. */
function accessTo(entrance: Entrance, socket: string): NetworkAccess {
  const id = randomBytes(8).toString('hex')
  return entrance({ id, token: id, relays: [{ port: ports.http, socket }], socksPort: ports.http })
}

interface RefusingProxy {
  readonly socket: string
  /** From now on, connections are those of this command. */
  begin(refused: (violation: Violation) => void): void
  /** It has ended, and no process of it is left. */
  end(): void
  close(): void
}

async function openRefusingProxy(path: string): Promise<RefusingProxy> {
  const open = new Set<Socket>()
  const reported = new Set<string>()
  let refused: ((violation: Violation) => void) | null = null
  const report = (resource: string) => {
    if (reported.has(resource) || reported.size >= most) return
    reported.add(resource)
    refused?.({ attempted: 'network', resource, blocked: true })
  }
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    answerAll(socket, report)
  })
  server.maxConnections = most
  server.unref()
  server.listen(path)
  await once(server, 'listening')
  const end = () => {
    refused = null
    for (const socket of open) socket.destroy()
  }
  return {
    socket: path,
    begin(whom) {
      reported.clear()
      refused = whom
    },
    end,
    close() {
      end()
      server.close()
    },
  }
}

function answerAll(socket: Socket, report: (target: string) => void): void {
  let stage: Stage | null = 'hello'
  let bytes = Buffer.alloc(0)
  // A command that is killed resets its connections.
  socket.on('error', () => socket.destroy())
  socket.unref().setTimeout(silence_ms, () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (let answer = stage && answerTo(stage, bytes); answer; answer = stage && answerTo(stage, bytes)) {
      if (answer.target !== null) report(answer.target)
      bytes = bytes.subarray(answer.taken)
      stage = answer.next
      if (stage === null) socket.end(answer.bytes)
      else socket.write(answer.bytes)
    }
    if (stage === null) bytes = Buffer.alloc(0)
  })
}

const prefix = 'tandem-network-'

/** Of this user alone. A runtime that was killed leaves its folder behind: the next one removes it. */
function newFolder(): string {
  const temp = tmpdir().length + prefix.length > longestPath / 2 ? '/tmp' : tmpdir()
  for (const name of readdirSync(temp)) {
    const owner = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(temp, name), { recursive: true, force: true })
  }
  return mkdtempSync(join(temp, `${prefix}${process.pid}-`))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
