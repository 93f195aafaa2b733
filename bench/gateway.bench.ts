// The overhead of a model gateway per call, and its throughput. The gateway and its database on core 0; load and provider on core 1.
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { pinToCore } from './cores.ts'
import { load } from './gateway-load.ts'
import { measureMachine } from './gateway-machine.ts'
import { type Subject, startBare, startPortkey, startTandem, startUpstream } from './gateway-subjects.ts'
import { installPeer } from './peer.ts'

const rounds = 5
const calls = {
  warmUp: 4_000,
  alone: 600,
  streamed: 150,
  crowd: { ours: 12_000, portkey: 3_000 },
  memory: { bare: 50_000, ours: 100_000, portkey: 20_000 },
}
const crowds = [16, 64] as const
const mebibyte = 2 ** 20
/** Memory is measured this many times, after equal parts of the calls. */
const looks = 10
/** How much memory may grow and still count as flat: a garbage collector does not release every page. */
const flat = 16

const names = ['direct', 'bare', 'ours', 'portkey'] as const
type Name = (typeof names)[number]
type Measured = Record<Name, number>

export const bench: Bench = {
  name: 'gateway',
  summary: `chat completions through a gateway to a provider that answers at once; ${rounds} rounds in turn; a caller is one user`,
  async run(progress) {
    const pin = pinToCore(1)
    progress("installing Portkey's gateway into a temporary folder")
    const peer = installPeer({ '@portkey-ai/gateway': '1.15.2' }, { '@hono/node-server': '1.14.1' })
    let rows: BenchRow[]
    const open: Subject[] = []
    const started = async (starting: Promise<Subject>) => {
      const subject = await starting
      open.push(subject)
      return subject
    }
    try {
      const direct = await started(startUpstream())
      const subjects = {
        direct,
        bare: await started(startBare(direct.url)),
        ours: await started(startTandem(direct.url)),
        portkey: await started(startPortkey(peer, direct.url)),
      }
      rows = await measure(subjects, progress)
    } catch (error) {
      peer.remove()
      throw error
    } finally {
      for (const subject of open.reverse()) await subject.stop()
    }
    try {
      pin.release()
      return [...rows, ...(await measureMachine(peer, pin, progress))]
    } finally {
      peer.remove()
    }
  },
}

async function measure(subjects: Record<Name, Subject>, progress: (line: string) => void): Promise<BenchRow[]> {
  for (const name of names) {
    progress(`warming up ${name}`)
    await load(subjects[name].url, subjects[name].ask(false), 16, calls.warmUp)
    await load(subjects[name].url, subjects[name].ask(true), 16, calls.warmUp / 10)
  }

  const alone = await inTurn(subjects, async ({ url, ask }) =>
    quantile((await load(url, ask(false), 1, calls.alone)).answers.map(last), 0.5),
  )
  progress(`whole answer, one caller, p50: ${said(alone, 'ms')}`)
  const first = await inTurn(subjects, async ({ url, ask }) =>
    quantile((await load(url, ask(true), 1, calls.streamed)).answers.map(firstByte), 0.5),
  )
  progress(`first byte of a stream, one caller, p50: ${said(first, 'ms')}`)
  const crowded: Measured[] = []
  for (const callers of crowds) {
    const rate = await inTurn(subjects, async ({ url, ask }, name) => {
      const count = name === 'portkey' ? calls.crowd.portkey : calls.crowd.ours
      const { seconds, answers } = await load(url, ask(false), callers, count)
      return answers.length / seconds
    })
    progress(`${callers} callers: ${said(rate, 'calls/s')}`)
    crowded.push(rate)
  }
  const work = await inTurn(subjects, async ({ url, ask, worked }, name) => {
    const count = name === 'portkey' ? calls.crowd.portkey : calls.crowd.ours
    const before = worked()
    await load(url, ask(false), crowds[0], count)
    return (worked() - before) / count
  })
  progress(`processor time of a call, ${crowds[0]} callers: ${said(work, 'ms')}`)
  const growth: Partial<Measured> = {}
  for (const name of ['bare', 'ours', 'portkey'] as const) {
    const { url, ask, resident } = subjects[name]
    const held = [await resident()]
    for (let look = 0; look < looks; look += 1) {
      await load(url, ask(false), 16, calls.memory[name] / looks)
      held.push(await resident())
    }
    growth[name] = ((held.at(-1) ?? 0) - (held[0] ?? 0)) / mebibyte
    const series = held.map((bytes) => (bytes / mebibyte).toFixed(1)).join(', ')
    progress(`${name}: memory held, before and after each ${calls.memory[name] / looks} calls: ${series} MiB`)
  }
  return [
    added('p50 added to a call, one caller', alone),
    ...crowded.map(rateRow),
    added('p50 added to the first byte of a stream', first),
    workRow(work),
    memoryRow(growth),
  ]
}

/** One subject after the other, repeatedly, so that a slow moment of the machine affects all of them. The median round counts. */
async function inTurn(subjects: Record<Name, Subject>, once: (subject: Subject, name: Name) => Promise<number>): Promise<Measured> {
  const all: Record<Name, number[]> = { direct: [], bare: [], ours: [], portkey: [] }
  for (let round = 0; round < rounds; round += 1) for (const name of names) all[name].push(await once(subjects[name], name))
  return { direct: median(all.direct), bare: median(all.bare), ours: median(all.ours), portkey: median(all.portkey) }
}

function added(metric: string, { direct, bare, ours, portkey }: Measured): BenchRow {
  const met = ours - direct <= (portkey - direct) / 4
  const row = { metric, unit: 'ms', better: 'lower', ours: ours - direct, peers: { portkey: portkey - direct } } as const
  return { ...row, limit: bare - direct, target: '≤ ¼ of Portkey', met }
}

function rateRow({ bare, ours, portkey }: Measured, index: number): BenchRow {
  const met = ours >= portkey * 5 && ours >= bare * 0.6
  const row = { metric: `calls per second, ${crowds[index]} callers`, unit: '/s', better: 'higher', ours, peers: { portkey } } as const
  return { ...row, limit: bare, target: '≥ 5 × Portkey, ≥ 60 % of a bare proxy', met }
}

/** What the rates are computed from; other load on the machine affects it less. */
function workRow({ bare, ours, portkey }: Measured): BenchRow {
  const met = ours <= portkey / 5 && ours <= bare / 0.6
  const row = { metric: `processor time of a call, ${crowds[0]} callers`, unit: 'ms', better: 'lower', ours, peers: { portkey } } as const
  return { ...row, limit: bare, target: '≤ ⅕ of Portkey, ≤ 1.67 × a bare proxy', met }
}

function memoryRow({ bare = 0, ours = 0, portkey = 0 }: Partial<Measured>): BenchRow {
  const said = (count: number) => count.toLocaleString('en-US')
  const metric = `memory grown over ${said(calls.memory.ours)} calls (Portkey ${said(calls.memory.portkey)}, bare ${said(calls.memory.bare)})`
  return { metric, unit: 'MiB', better: 'lower', ours, peers: { portkey }, limit: bare, target: `flat (≤ ${flat})`, met: ours <= flat }
}

function said(measured: Measured, unit: string): string {
  return `${names.map((name) => `${name} ${measured[name].toFixed(unit === 'ms' ? 3 : 0)}`).join(', ')} ${unit}`
}

function last(answer: { last: number }): number {
  return answer.last
}

function firstByte(answer: { first: number }): number {
  return answer.first
}
