// 5,000 idle sockets on one server: the cost of each, and the delay from a write to its hint.
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type BenchRow, quantile } from './bench.ts'
import { installPeer } from './peer.ts'
import { type HintReceived, type Subject, startBackend, startBare, startPouch } from './ws-subjects.ts'

const users = 1_000
const socketsPerUser = 5
const sockets = users * socketsPerUser
const rounds = 300
/** Opened, used and closed before measuring, a few at a time, so that garbage from connecting is not attributed to the sockets. */
const warmUp = { times: 10, users: 40, rounds: 60 }

interface Measured {
  readonly kibPerSocket: number
  /** Milliseconds. */
  readonly write: Times
  readonly tell: Times
}

interface Times {
  readonly p50: number
  readonly p99: number
}

export const bench: Bench = {
  name: 'ws',
  summary: `${sockets} idle sockets of ${users} users on one server, and the time from a write to its hint on all sockets of the user`,
  async run(progress) {
    progress('installing pouchdb-server into a temporary folder')
    const peer = installPeer({ 'pouchdb-server': '4.2.0' })
    try {
      const ours = await measure('tandem', await startBackend(), progress)
      const bare = await measure('bare ws', await startBare(), progress)
      const pouch = await measure('pouchdb-server, continuous changes feed', await startPouch(peer), progress)
      return [
        row('memory of an idle socket', 'KiB', ours.kibPerSocket, pouch.kibPerSocket, bare.kibPerSocket, 2),
        // The peer stores its data in memory: its write costs almost nothing, and ours is on disk before any hint is sent.
        row('hint of another node, p50', 'ms', ours.tell.p50, pouch.write.p50, bare.write.p50, undefined),
        row('hint of another node, p99', 'ms', ours.tell.p99, pouch.write.p99, bare.write.p99, undefined),
        row('durable push to hint, p50', 'ms', ours.write.p50, pouch.write.p50, bare.write.p50, undefined),
        row('durable push to hint, p99', 'ms', ours.write.p99, pouch.write.p99, bare.write.p99, undefined),
      ]
    } finally {
      peer.remove()
    }
  },
}

/** `timesLimit`: bare `ws` writes nothing, so only memory has a target relative to it. */
function row(metric: string, unit: string, ours: number, pouch: number, limit: number, timesLimit: number | undefined): BenchRow {
  const target = timesLimit === undefined ? 'at most the peer' : `at most the peer and ${timesLimit} × bare ws`
  const met = ours <= pouch && ours <= limit * (timesLimit ?? Number.POSITIVE_INFINITY)
  return { metric, unit, better: 'lower', ours, peers: { pouchdb: pouch }, limit, target, met }
}

async function measure(name: string, subject: Subject, progress: (line: string) => void): Promise<Measured> {
  try {
    const listeners = new Map<number, HintReceived>()
    const open = async (count: number) => {
      const opened: { close(): void }[] = []
      for (let start = 0; start < count; start += 50) {
        const some = Array.from({ length: Math.min(50, count - start) }, (_, index) => (start + index) % (count / socketsPerUser))
        opened.push(...(await Promise.all(some.map((user) => subject.listen(user, () => listeners.get(user)?.())))))
      }
      return opened
    }
    for (let time = 0; time < warmUp.times; time += 1) {
      const warm = await open(warmUp.users * socketsPerUser)
      if (time === 0) await hints((user, round) => subject.write(user, round + 1), listeners, warmUp.users, warmUp.rounds)
      for (const one of warm) one.close()
    }
    await subject.settle()
    const before = residentKib(subject.pid)

    const opened = await open(sockets)
    await subject.settle()
    const kibPerSocket = (residentKib(subject.pid) - before) / sockets
    const write = await hints((user, round) => subject.write(user, warmUp.rounds + round + 1), listeners, users, rounds)
    const { tell } = subject
    const measured = { kibPerSocket, write, tell: tell ? await hints(tell, listeners, users, rounds) : write }
    const said = ({ p50, p99 }: Times) => `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
    progress(`${name}: ${kibPerSocket.toFixed(1)} KiB a socket; write to hint ${said(write)}; hint alone ${said(measured.tell)}`)
    for (const one of opened) one.close()
    return measured
  } finally {
    await subject.stop()
  }
}

/** Milliseconds from the start of each write to each socket that received its hint. */
async function hints(
  write: (user: number, round: number) => Promise<void>,
  listeners: Map<number, HintReceived>,
  among: number,
  count: number,
): Promise<Times> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const user = (index * 379) % among
    const all = Promise.withResolvers<void>()
    let heard = 0
    const started = performance.now()
    listeners.set(user, () => {
      times.push(performance.now() - started)
      heard += 1
      if (heard === socketsPerUser) all.resolve()
    })
    const late = AbortSignal.timeout(10_000)
    late.addEventListener('abort', () => all.reject(new Error(`${heard} of ${socketsPerUser} sockets heard of write ${index}`)))
    await Promise.all([write(user, index), all.promise])
    listeners.delete(user)
    await sleep(5)
  }
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

function residentKib(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
  return Number(stdout.trim())
}
