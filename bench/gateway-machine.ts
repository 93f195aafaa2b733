// The gateway benchmark with all cores of the machine: as many processes of each subject as there are cores, and what a call costs each of
// them. Load and provider use the same cores: the rate is that of the whole machine, and the cost is that of the gateway alone.
import { type BenchRow, median } from './bench.ts'
import type { Pin } from './cores.ts'
import { load } from './gateway-load.ts'
import { type Subject, startBare, startPortkey, startTandem, startUpstream } from './gateway-subjects.ts'
import type { Peer } from './peer.ts'

const rounds = 5
const warmUp = 4_000
const calls = { bare: 12_000, ours: 12_000, portkey: 4_000 }
const callersPerProcess = 16

type Name = keyof typeof calls

interface Speed {
  readonly rate: number
  /** Milliseconds of processor time per call, with the database and the cache. */
  readonly cost: number
}

export async function measureMachine(
  peer: Peer,
  { cores, count: processes }: Pick<Pin, 'cores' | 'count'>,
  progress: (line: string) => void,
): Promise<BenchRow[]> {
  progress(`starting ${processes} processes of each`)
  const open: Subject[] = []
  const several = async (start: () => Promise<Subject>, count: number): Promise<Subject[]> => {
    const all: Subject[] = []
    for (let n = 0; n < count; n += 1) {
      const subject = await start()
      open.push(subject)
      all.push(subject)
    }
    return all
  }
  try {
    const [upstream] = await several(() => startUpstream(cores), 1)
    if (!upstream) throw new Error('no provider')
    const subjects: Record<Name, Subject[]> = {
      bare: await several(() => startBare(upstream.url, cores), processes),
      ours: await several(() => startTandem(upstream.url, cores, processes), 1),
      portkey: await several(() => startPortkey(peer, upstream.url, cores), processes),
    }
    const speeds: Record<Name, Speed>[] = []
    const callers = callersPerProcess * processes
    const each = async (count: (name: Name) => number) => ({
      bare: await measured(subjects.bare, callers, count('bare')),
      ours: await measured(subjects.ours, callers, count('ours')),
      portkey: await measured(subjects.portkey, callers, count('portkey')),
    })
    await each(() => warmUp)
    for (let round = 0; round < rounds; round += 1) {
      const speed = await each((name) => calls[name])
      const told = Object.entries(speed).map(([name, { rate, cost }]) => `${name} ${Math.round(rate)}/s, ${cost.toFixed(3)} ms`)
      progress(`whole machine, round ${round + 1}: ${told.join('; ')}`)
      speeds.push(speed)
    }
    return rowsOf(speeds, processes, callers)
  } finally {
    for (const subject of open.reverse()) await subject.stop()
  }
}

async function measured(subjects: readonly Subject[], callers: number, count: number): Promise<Speed> {
  const [first] = subjects
  if (!first) throw new Error('no subject')
  const worked = () => subjects.reduce((sum, subject) => sum + subject.worked(), 0)
  const urls = subjects.map(({ url }) => url)
  const before = worked()
  const { seconds, answers } = await load(urls, first.ask(false), callers, count)
  return { rate: answers.length / seconds, cost: (worked() - before) / answers.length }
}

function rowsOf(speeds: readonly Record<Name, Speed>[], processes: number, callers: number): BenchRow[] {
  const of = (name: Name, figure: keyof Speed) => median(speeds.map((speed) => speed[name][figure]))
  const figures = (figure: keyof Speed) => ({
    ours: of('ours', figure),
    peers: { portkey: of('portkey', figure) },
    limit: of('bare', figure),
    target: null,
    met: null,
  })
  return [
    {
      ...{ metric: `calls per second, whole machine (${processes} processes each), ${callers} callers`, unit: '/s', better: 'higher' },
      ...figures('rate'),
    },
    {
      ...{ metric: `processor time of a call, ${processes} processes each, with database and cache`, unit: 'ms', better: 'lower' },
      ...figures('cost'),
    },
  ]
}
