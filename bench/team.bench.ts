// Agents that give work to others: the cost of one delegation, of many members at once, and of the copy of a folder that a member gets.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Bench, type BenchRow, median, quantile } from './bench.ts'
import { installPeer } from './peer.ts'
import { measureCopies } from './team-copy.ts'
import { childCount, startTeamSubject, type TeamSubject } from './team-job.ts'

const delegations = { warmUp: 30, perRound: 20, rounds: 10 }
const spawns = 5

const agents = { '@openai/agents': '0.20.0', openai: '7.53.0', zod: '4.6.7' }
const langgraph = {
  '@langchain/langgraph-supervisor': '1.1.3',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  '@langchain/openai': '1.6.0',
  '@langchain/core': '1.2.13',
  zod: '4.6.7',
}

const names = ['ours', 'agents', 'langgraph', 'bare'] as const
type Name = (typeof names)[number]

export const bench: Bench = {
  name: 'team',
  summary: `one agent delegates to another, ${delegations.perRound * delegations.rounds} times each; @openai/agents ${agents['@openai/agents']} with an agent as a tool, LangGraph's supervisor ${langgraph['@langchain/langgraph-supervisor']} with SQLite and durability "sync"; limit: the same requests to the model alone`,
  async run(progress) {
    const model = fork(join(import.meta.dirname, 'team-model.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    try {
      const [{ url }] = (await once(model, 'message')) as [{ url: string }]
      return [...(await measureDelegations(url, progress)), ...(await measureChildren(url, progress)), await measureCopies(progress)]
    } finally {
      model.kill()
    }
  },
}

async function measureDelegations(url: string, progress: (line: string) => void): Promise<BenchRow[]> {
  progress("installing @openai/agents and LangGraph's supervisor into a temporary folder")
  // This SQLite is prebuilt: nothing is compiled here.
  const overrides = { 'better-sqlite3': '13.0.3', '@langchain/protocol': '0.0.19' }
  const peer = installPeer({ ...agents, ...langgraph }, overrides, 'only-listed')
  const open: TeamSubject[] = []
  const started = async (script: string, ...args: string[]) => {
    const subject = await startTeamSubject(script, url, ...args)
    open.push(subject)
    return subject
  }
  try {
    const subjects: Readonly<Record<Name, TeamSubject>> = {
      ours: await started('team-tandem.ts'),
      agents: await started('team-peers.ts', peer.folder, 'agents'),
      langgraph: await started('team-peers.ts', peer.folder, 'langgraph'),
      bare: await started('team-bare.ts'),
    }
    for (const name of names) await subjects[name].delegate(delegations.warmUp)
    const walls: Record<Name, number[]> = { ours: [], agents: [], langgraph: [], bare: [] }
    const worked: Record<Name, number[]> = { ours: [], agents: [], langgraph: [], bare: [] }
    // Alternating, so that a slow moment of the machine affects all of them.
    for (let round = 0; round < delegations.rounds; round += 1) {
      for (const name of names) {
        const taken = await subjects[name].delegate(delegations.perRound)
        walls[name].push(...taken.walls)
        worked[name].push(taken.worked / delegations.perRound)
        progress(`${name}: ${median(taken.walls).toFixed(1)} ms per delegation, ${worked[name].at(-1)?.toFixed(1)} of the processor`)
      }
    }
    return [
      delegationRow('delegate and return, p50', walls, median),
      delegationRow('delegate and return, p99', walls, (values) => quantile(values, 0.99)),
      delegationRow('its processor time, median of the rounds', worked, median),
    ]
  } finally {
    for (const subject of open) await subject.stop()
    peer.remove()
  }
}

function delegationRow(metric: string, took: Readonly<Record<Name, number[]>>, of: (values: readonly number[]) => number): BenchRow {
  const peers = { '@openai/agents': of(took.agents), 'LangGraph with SQLite': of(took.langgraph) }
  return { metric, unit: 'ms', better: 'lower', ours: of(took.ours), peers, limit: of(took.bare), target: null, met: null }
}

/** Each time in a new process: one that has already grown would not grow again. */
async function measureChildren(url: string, progress: (line: string) => void): Promise<BenchRow[]> {
  const [walls, grown]: [number[], number[]] = [[], []]
  for (let round = 0; round < spawns; round += 1) {
    const subject = await startTeamSubject('team-tandem.ts', url)
    try {
      await subject.delegate(delegations.warmUp)
      const { wall_ms, grown_bytes } = await subject.spawn()
      progress(`${childCount} children: ${wall_ms.toFixed(0)} ms, ${(grown_bytes / 2 ** 20).toFixed(1)} MiB more`)
      walls.push(wall_ms)
      grown.push(grown_bytes / 2 ** 20 / childCount)
    } finally {
      await subject.stop()
    }
  }
  const alone = { better: 'lower', peers: {}, limit: null, target: null, met: null } as const
  return [
    { metric: `${childCount} children at once, five tool calls each`, unit: 'ms', ours: median(walls), ...alone },
    { metric: 'memory per child', unit: 'MiB', ours: median(grown), ...alone },
  ]
}
