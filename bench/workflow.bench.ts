// Durable workflows of tool nodes that do next to nothing: what remains is the cost of recording each step and deciding the next one.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Bench, type BenchRow, median } from './bench.ts'
import { installPeer } from './peer.ts'
import { type Spent, startWorkflowSubject, type WorkflowSubject } from './workflow-job.ts'

const chains = { nodes: [100, 400], warmUp: 3, rounds: 7 }
const loop = { items: 1_000, warmUp: 1, rounds: 5 }
/** Each item has two events: when its node starts, and when it ends. */
const resumed = { items: 5_000, rounds: 3 }

const langgraph = {
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  '@langchain/core': '1.2.13',
  zod: '4.6.7',
}
const mastra = { '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1', zod: '4.6.7' }

const names = ['ours', 'langgraph', 'mastra', 'bare'] as const
type Name = (typeof names)[number]
type Figures = Readonly<Record<Name, number>>

export const bench: Bench = {
  name: 'workflow',
  summary: `durable workflows of tool nodes, medians of ${chains.rounds}; LangGraph ${langgraph['@langchain/langgraph']} with SQLite and durability "sync", Mastra ${mastra['@mastra/core']} with LibSQL; limit: the journal alone`,
  async run(progress) {
    progress('installing LangGraph and Mastra into temporary folders')
    // This SQLite is prebuilt: nothing is compiled here.
    const first = installPeer(langgraph, { 'better-sqlite3': '13.0.3', '@langchain/protocol': '0.0.19' }, 'only-listed')
    const second = installPeer(mastra, {}, 'only-listed')
    const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
    const scripts: Readonly<Record<Name, readonly [script: string, peer: string]>> = {
      ours: ['workflow-tandem.ts', ''],
      langgraph: ['workflow-langgraph.ts', first.folder],
      mastra: ['workflow-mastra.ts', second.folder],
      bare: ['workflow-bare.ts', ''],
    }
    const open = new Set<WorkflowSubject>()

    /** What it stores is in a folder of this name. */
    async function start(name: Name, place: string): Promise<WorkflowSubject> {
      const [script, peer] = scripts[name]
      const home = join(folder, `${place}-${name}`)
      mkdirSync(home, { recursive: true })
      const subject = await startWorkflowSubject(script, home, peer)
      open.add(subject)
      return subject
    }

    async function stop(subject: WorkflowSubject): Promise<void> {
      open.delete(subject)
      await subject.stop()
    }

    try {
      const times = await measureTimes(start, stop, progress)
      const bytes = await measureBytes(start, stop, folder)
      const read = await measureResume(start, stop, progress)
      return [...times, bytesRow(bytes), resumeRow(read)]
    } finally {
      for (const subject of open) await subject.stop()
      rmSync(folder, { recursive: true, force: true })
      first.remove()
      second.remove()
    }
  },
}

type Start = (name: Name, place: string) => Promise<WorkflowSubject>
type Stop = (subject: WorkflowSubject) => Promise<void>

async function forAll<Value>(work: (name: Name) => Promise<Value>): Promise<Readonly<Record<Name, Value>>> {
  const found: [Name, Value][] = []
  for (const name of names) found.push([name, await work(name)])
  return Object.fromEntries(found) as Record<Name, Value>
}

async function measureTimes(start: Start, stop: Stop, progress: (line: string) => void): Promise<BenchRow[]> {
  const subjects = await forAll((name) => start(name, 'times'))
  const rows: BenchRow[] = []
  for (const nodes of chains.nodes) {
    const took = await rounds(chains, nodes, (name) => subjects[name].chain(nodes), `chain of ${nodes}`, progress)
    const target = nodes === 100 ? 'at most a third of the best peer' : null
    rows.push(timeRow(`a tool node in a chain of ${nodes}`, took, 'wall', target), timeRow('its processor time', took, 'worked', null))
  }
  const { items } = loop
  const took = await rounds(loop, items, (name) => subjects[name].forEach(items), `for_each of ${items}`, progress)
  rows.push(
    timeRow(`an item of a for_each of ${items}, 8 at a time`, took, 'wall', null),
    timeRow('its processor time', took, 'worked', null),
  )
  const memory = await forAll((name) => subjects[name].memory())
  rows.push({ metric: 'peak memory of the process', unit: 'MiB', better: 'lower', ...compared(memory), target: null, met: null })
  for (const subject of Object.values(subjects)) await stop(subject)
  return rows
}

/** Alternating, so that a slow moment of the machine affects all of them. Per node. */
async function rounds(
  { warmUp, rounds: count }: { readonly warmUp: number; readonly rounds: number },
  nodes: number,
  work: (name: Name) => Promise<Spent>,
  what: string,
  progress: (line: string) => void,
): Promise<Readonly<Record<Name, readonly Spent[]>>> {
  const took: Record<Name, Spent[]> = { ours: [], langgraph: [], mastra: [], bare: [] }
  for (let round = -warmUp; round < count; round += 1) {
    for (const name of names) {
      const { wall, worked } = await work(name)
      progress(`${what}, ${name}: ${(wall / nodes).toFixed(2)} ms per node, ${(worked / nodes).toFixed(2)} of the processor`)
      if (round >= 0) took[name].push({ wall: wall / nodes, worked: worked / nodes })
    }
  }
  return took
}

function timeRow(metric: string, took: Readonly<Record<Name, readonly Spent[]>>, field: keyof Spent, target: string | null): BenchRow {
  const of = (name: Name) => median(took[name].map((one) => one[field]))
  const figures = { ours: of('ours'), langgraph: of('langgraph'), mastra: of('mastra'), bare: of('bare') }
  const met = target === null ? null : figures.ours <= Math.min(figures.langgraph, figures.mastra) / 3
  return { metric, unit: 'ms', better: 'lower', ...compared(figures), target, met }
}

function compared({ ours, langgraph: first, mastra: second, bare }: Figures): Pick<BenchRow, 'ours' | 'peers' | 'limit'> {
  return { ours, peers: { LangGraph: first, Mastra: second }, limit: bare }
}

/** What one run adds to a folder that is otherwise empty. */
async function measureBytes(start: Start, stop: Stop, folder: string): Promise<Figures> {
  const [nodes = 100] = chains.nodes
  return await forAll(async (name) => {
    await stop(await start(name, 'empty'))
    const subject = await start(name, 'one')
    await subject.chain(nodes)
    await stop(subject)
    return (weight(join(folder, `one-${name}`)) - weight(join(folder, `empty-${name}`))) / nodes
  })
}

/** All files, after the logs of the databases were written into them. */
function weight(folder: string): number {
  const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { parentPath, name } of files()) {
    if (!name.endsWith('.db')) continue
    const database = new DatabaseSync(join(parentPath, name))
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    database.close()
  }
  return files().reduce((bytes, { parentPath, name }) => bytes + statSync(join(parentPath, name)).size, 0)
}

function bytesRow(figures: Figures): BenchRow {
  const target = { target: 'at most 6,000', met: figures.ours <= 6_000 }
  return { metric: 'stored per tool node of a chain of 100', unit: 'bytes', better: 'lower', ...compared(figures), ...target }
}

/** Each in a new process, as after a restart. */
async function measureResume(start: Start, stop: Stop, progress: (line: string) => void): Promise<Figures> {
  return await forAll(async (name) => {
    const writer = await start(name, 'resume')
    const prepared: string[] = []
    for (let round = 0; round < resumed.rounds; round += 1) prepared.push(await writer.prepare(resumed.items))
    await stop(writer)
    const took: number[] = []
    for (const one of prepared) {
      const reader = await start(name, 'resume')
      took.push(await reader.resume(one))
      await stop(reader)
    }
    progress(`resume of ${resumed.items} items, ${name}: ${took.map((ms) => ms.toFixed(0)).join(', ')} ms`)
    return median(took)
  })
}

function resumeRow(figures: Figures): BenchRow {
  const metric = `resume of a run with ${2 * resumed.items} events, until its next call`
  return { metric, unit: 'ms', better: 'lower', ...compared(figures), target: null, met: null }
}
