// The cost of an agent's loop: one tool step with every feature on, a long thread on disk, and a whole program for one task.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Bench, type BenchRow, median } from './bench.ts'
import { type Subject, startSubject, threadPrompts } from './loop-job.ts'
import { codexProgram, opencodeProgram, type Program, type Task, type TaskCost, tandemProgram } from './loop-programs.ts'
import { installPeer } from './peer.ts'

const steps = { count: 100, warmUp: 3, rounds: 5 }
const runs = 10

const libraries = {
  '@openai/agents': '0.20.0',
  '@langchain/langgraph': '1.4.18',
  '@langchain/langgraph-checkpoint-sqlite': '1.0.4',
  '@langchain/core': '1.2.13',
  openai: '7.53.0',
  zod: '4.6.7',
}
// The last version that has a program for every platform.
const programs = { '@openai/codex': '0.166.0', 'opencode-ai': '1.18.18' }

export const bench: Bench = {
  name: 'loop',
  summary: `a scripted model that answers at once; runs of ${steps.count} tool calls, medians of ${steps.rounds}; whole programs, medians of ${runs}`,
  async run(progress) {
    const model = fork(join(import.meta.dirname, 'loop-model.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    try {
      const [{ url }] = (await once(model, 'message')) as [{ url: string }]
      return [...(await measureLoops(url, progress)), ...measurePrograms(url, progress)]
    } finally {
      model.kill()
    }
  },
}

async function measureLoops(url: string, progress: (line: string) => void): Promise<BenchRow[]> {
  progress('installing @openai/agents and LangGraph into a temporary folder')
  // This SQLite is prebuilt: nothing is compiled here. A package of LangGraph asks for a version that is not published.
  const peer = installPeer(libraries, { 'better-sqlite3': '13.0.3', '@langchain/protocol': '0.0.19' }, 'only-listed')
  const open: Subject[] = []
  const started = async (script: string, ...args: string[]) => {
    const subject = await startSubject(script, url, ...args)
    open.push(subject)
    return subject
  }
  try {
    const subjects = {
      ours: await started('loop-tandem.ts'),
      agents: await started('loop-peers.ts', peer.folder, 'agents'),
      streaming: await started('loop-peers.ts', peer.folder, 'agents-streaming'),
      langgraph: await started('loop-peers.ts', peer.folder, 'langgraph'),
      bare: await started('loop-bare.ts'),
    }
    const names = Object.keys(subjects) as (keyof typeof subjects)[]
    const took = { ours: [], agents: [], streaming: [], langgraph: [], bare: [] } as Record<keyof typeof subjects, Spent[]>
    // Alternating, so that a slow moment of the machine affects all of them.
    for (let round = -steps.warmUp; round < steps.rounds; round += 1) {
      for (const name of names) {
        const { wall, worked } = await subjects[name].steps(steps.count)
        const spent = { wall: wall / steps.count, worked: worked / steps.count }
        progress(`${name}: ${spent.wall.toFixed(2)} ms a step, ${spent.worked.toFixed(2)} at work`)
        if (round >= 0) took[name].push(spent)
      }
    }
    const kept = { ours: await subjects.ours.thread(), langgraph: await subjects.langgraph.thread() }
    const text = threadPrompts.reduce((bytes, message) => bytes + 2 * message.length, 0)
    return [
      stepRow(`a tool step of ${steps.count}`, 'wall', took),
      stepRow('its processor time', 'worked', took),
      {
        ...{ metric: `a thread of ${threadPrompts.length} turns on disk`, unit: 'kB', better: 'lower', ours: kept.ours / 1_000 },
        peers: { 'LangGraph with SQLite': kept.langgraph / 1_000 },
        limit: text / 1_000,
        target: '≤ 400',
        met: kept.ours <= 400_000,
      },
    ]
  } finally {
    for (const subject of open) await subject.stop()
    peer.remove()
  }
}

interface Spent {
  readonly wall: number
  readonly worked: number
}

function stepRow(
  metric: string,
  field: keyof Spent,
  took: Record<'ours' | 'agents' | 'streaming' | 'langgraph' | 'bare', Spent[]>,
): BenchRow {
  const of = (name: keyof typeof took) => median(took[name].map((spent) => spent[field]))
  const [ours, agents, streaming, langgraph] = [of('ours'), of('agents'), of('streaming'), of('langgraph')]
  return {
    ...{ metric, unit: 'ms', better: 'lower', ours, limit: of('bare') },
    peers: { '@openai/agents': agents, '@openai/agents streaming': streaming, 'LangGraph with SQLite': langgraph },
    target: 'at most @openai/agents and a third of LangGraph',
    met: ours <= Math.min(agents, streaming) && ours <= langgraph / 3,
  }
}

function measurePrograms(url: string, progress: (line: string) => void): BenchRow[] {
  progress('installing codex and opencode into a temporary folder')
  const peer = installPeer(programs)
  const subjects = { ours: tandemProgram(url), codex: codexProgram(peer, url), opencode: opencodeProgram(peer, url) }
  try {
    return (['command', 'write'] as const).flatMap((task) => programRows(task, subjects, progress))
  } finally {
    for (const subject of Object.values(subjects)) subject.remove()
    peer.remove()
  }
}

function programRows(task: Task, subjects: Record<'ours' | 'codex' | 'opencode', Program>, progress: (line: string) => void): BenchRow[] {
  const took = { ours: [], codex: [], opencode: [] } as Record<keyof typeof subjects, TaskCost[]>
  // The first start after the installation does not count.
  for (let round = -1; round < runs; round += 1) {
    for (const name of ['ours', 'codex', 'opencode'] as const) {
      const taken = subjects[name].run(task)
      if (round >= 0) took[name].push(taken)
      progress(`${task}, ${name}: ${taken.wall_ms.toFixed(0)} ms, ${taken.worked_ms.toFixed(0)} at work, ${taken.peak_mib.toFixed(0)} MiB`)
    }
  }
  const of = (field: keyof TaskCost) => {
    const [ours, codex, opencode] = (['ours', 'codex', 'opencode'] as const).map((name) => median(took[name].map((taken) => taken[field])))
    return { ours: ours ?? Number.NaN, peers: { codex: codex ?? Number.NaN, opencode: opencode ?? Number.NaN } }
  }
  const does = task === 'write' ? 'writes a file' : 'runs a command'
  const speed = (metric: string, { ours, peers }: ReturnType<typeof of>): BenchRow => ({
    ...{ metric, unit: 'ms', better: 'lower', ours, peers, limit: null },
    target: 'no slower than codex, 5 times faster than opencode',
    met: ours <= peers.codex && ours * 5 <= peers.opencode,
  })
  const size = of('peak_mib')
  return [
    speed(`a program that ${does}`, of('wall_ms')),
    speed('its processor time', of('worked_ms')),
    {
      ...{ metric: 'its peak memory', unit: 'MiB', better: 'lower', ...size, limit: null },
      target: 'no larger than codex',
      met: size.ours <= size.peers.codex,
    },
  ]
}
