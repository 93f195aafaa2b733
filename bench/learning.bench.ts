// What learning costs without a model: the cycle after a run, the patterns of many runs, a shadow over recorded calls, and a start after
// many runs have ended meanwhile. Processor time, because the disk and other programs are not what is measured.
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFeatureContext } from '../packages/runtime/src/feature/open-feature-context.ts'
import { openRuntime } from '../packages/runtime/src/runtime.ts'
import { type Bench, type BenchRow, median } from './bench.ts'
import { openLearningDevice, spent } from './learning-device.ts'
import { measureClustering, measureCycles, runAt } from './learning-growth.ts'
import { benchClock, longPlan, writeRun } from './learning-journal.ts'
import { measureShadow, recordCommands } from './learning-shadow.ts'
import type { MeasuredStart, StartSubject } from './learning-start.ts'

const sizes = [10, 100, 1_000]
const rounds = 21
const clustered = 10_000
const cycles = 2_000
const shadowed = 10_000
const ended = 1_000

export const bench: Bench = {
  name: 'learning',
  summary: `the cycle after a run without a model, ${clustered} runs clustered, a shadow over ${shadowed} calls, ${ended} runs at the next start; limit: reading what is used`,
  async run(progress) {
    const folder = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
    try {
      const device = openLearningDevice(join(folder, 'device'))
      progress(`${cycles} cycles`)
      const grown = await measureCycles(device, cycles)
      const rows: BenchRow[] = []
      for (const steps of sizes) rows.push(await cycleRow(device, steps, progress))
      rows.push(
        { ...row(`the cycle of a recorded run, after ${cycles} others`, 'ms', grown.last, null), peers: { 'the first': grown.first } },
        row('stored by the cycle of a recorded run', 'bytes', grown.bytes, null),
      )
      progress(`clustering ${clustered} runs`)
      const patterns = await measureClustering(clustered)
      progress(`${patterns.patterns} patterns`)
      const last = row(`clustering a run, after ${clustered} others`, 'ms', patterns.last, null)
      rows.push({ ...last, peers: { 'the first': patterns.first } })
      progress(`a shadow over ${shadowed} calls`)
      await recordCommands(device, shadowed)
      rows.push(...(await shadowRows(device)))
      await device.close()
      for (const subject of ['learning', 'runtime'] as const) rows.push(...(await startRows(subject, join(folder, subject), progress)))
      return rows
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function row(
  metric: string,
  unit: string,
  ours: number,
  limit: number | null,
  target: [text: string, met: boolean] | null = null,
): BenchRow {
  const [text, met] = target ?? [null, null]
  return { metric, unit, better: 'lower', ours, peers: {}, limit, target: text, met }
}

function atMost(value: number, most: number, unit: string): [string, boolean] {
  return [`at most ${most} ${unit}`, value <= most]
}

type Device = ReturnType<typeof openLearningDevice>

async function cycleRow(device: Device, steps: number, progress: (line: string) => void): Promise<BenchRow> {
  const [took, read]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const written = writeRun(device, longPlan(steps, round, { agent_id: 'agent', workspace: '/srv/space' }))
    read.push(await spent(() => device.journal.steps(written.run_id)))
    took.push(await spent(() => device.learn(written)))
  }
  progress(`${steps} steps: ${took.map((ms) => ms.toFixed(0)).join(' ')} ms`)
  const ours = median(took)
  return row(`the cycle of a run of ${steps} steps`, 'ms', ours, median(read), steps === 100 ? atMost(ours, 30, 'ms') : null)
}

async function shadowRows(device: Device): Promise<BenchRow[]> {
  const found = await measureShadow(device, 7)
  return found.flatMap(({ field, known, first, read }) => [
    row(`a shadow over ${shadowed} commands, ${field}`, 'ms', median(known), read, atMost(median(known), 300, 'ms')),
    row('the same, when the commands are not known', 'ms', first, read, atMost(first, 3_000, 'ms')),
  ])
}

async function startRows(subject: StartSubject, folder: string, progress: (line: string) => void): Promise<BenchRow[]> {
  progress(`${ended} runs that ended meanwhile, ${subject}`)
  const [home, workspace] = [join(folder, 'home'), join(folder, 'workspace')]
  mkdirSync(workspace, { recursive: true })
  await prepareHome(home, workspace)
  const child = fork(join(import.meta.dirname, 'learning-start.ts'), [subject, home, workspace, String(ended)])
  const { seconds, longest_turn } = await new Promise<MeasuredStart>((resolve, reject) => {
    child.on('message', (message) => resolve(message as MeasuredStart)).on('exit', (code) => reject(new Error(`it ended with ${code}`)))
  })
  const who = subject === 'learning' ? 'learning alone' : 'the whole runtime'
  return [
    row(`${ended} runs at the next start, ${who}`, 's', seconds, null, atMost(seconds, 120, 's')),
    row('the longest turn of its main thread', 'ms', longest_turn, null, atMost(longest_turn, 50, 'ms')),
  ]
}

/** A runtime that knows its listeners, and then runs that end without it. */
async function prepareHome(home: string, workspace: string): Promise<void> {
  const log = (line: string) => console.error(line)
  const runtime = openRuntime({ home, workspace, environment: { TANDEM_MEMORY_MODEL: 'off' }, log })
  const created = await runtime.commands.call('agent_create', { name: 'Bench' })
  await runtime.stop()
  if (!created.ok) throw new Error(created.error.message)
  const { agent_id } = created.value.agent
  const clock = benchClock(Date.now() - 3 * 24 * 60 * 60_000)
  const ground = openFeatureContext({ home, environment: {}, clock, life: 'errand', log })
  for (let index = 0; index < ended; index += 1) writeRun({ ...ground, clock }, { ...runAt(index), agent_id, workspace })
  await ground.scheduler.stop()
  ground.store.close()
}
