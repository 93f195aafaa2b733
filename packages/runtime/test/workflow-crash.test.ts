// A whole runtime is killed with -9 while its workflows run, and restarted: they end as if it had never been killed, and nothing happens
// twice. More kills, and more generated workflows: npm run test:workflow.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crashpoints as runCrashpoints } from '../src/run/crashpoint.ts'
import { crashpoints as workflowCrashpoints } from '../src/workflow/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'
import { expectWhole, lifeOf } from './support/test-process-life.ts'
import { smallWorkflow } from './support/workflow/test-small-workflows.ts'
import { type ScenarioName, said } from './support/workflow/test-workflow-scenarios.ts'

const program = useBundledProgram('workflow/test-workflow-process.ts')
/** No workflow with all kinds of nodes reaches these. */
const notReached = ['wait_started', 'wait_ended', 'context_compacted', 'workflow_canceled']
const points: readonly string[] = [...workflowCrashpoints, ...runCrashpoints].filter((point) => !notReached.includes(point))
const seed = Number(process.env.TANDEM_SEED)
/** How many workflows are generated, and how many runtimes with all kinds of nodes are killed at a random point. */
const workflows = Number(process.env.TANDEM_WORKFLOWS ?? 5)
const randomKills = Number(process.env.TANDEM_WORKFLOW_KILLS ?? 3)
const patience_ms = 1_800_000 + (workflows + randomKills) * 30_000

let ground: string
let folders = 0
let model: TestModel
let server: Server
/** What was sent to the server, by the folder of the run. */
const sent = new Map<string, string[]>()

beforeAll(async () => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-workflow-crash-')))
  model = await startTestModel(() => ({ text: said, slow_ms: 20 }))
  server = createServer((request, response) => {
    const [, folder = '', name = '', counted = ''] = decodeURIComponent(request.url ?? '').split('/')
    const names = sent.get(folder) ?? []
    sent.set(folder, names)
    if (request.method === 'POST') names.push(name)
    request.resume().on('end', () => response.end(String(names.filter((one) => one === counted).length)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  await model.close()
  await new Promise((resolve) => server.close(resolve))
  rmSync(ground, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = join(ground, String(++folders))
  mkdirSync(join(folder, 'workspace'), { recursive: true })
  return folder
}

/** A program that was just being started when the runtime was killed may still run for a moment. A person looks when it has ended. */
async function programsEnded(folder: string): Promise<void> {
  const isRunning = () =>
    readdirSync('/proc').some((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes(`${folder}/`)
      } catch {
        // It has ended meanwhile.
        return false
      }
    })
  while (isRunning()) await sleep(20)
}

async function live(folder: string, scenario: ScenarioName, plan: CrashPlan) {
  const { port } = server.address() as AddressInfo
  const name = folder.slice(ground.length + 1)
  const life = await lifeOf<object>(program, [folder, scenario, model.base_url, `http://127.0.0.1:${port}/${name}`], plan)
  await programsEnded(folder)
  return { ...life, end: life.end && { ...life.end, sent: sent.get(name)?.toSorted() ?? [] } }
}

/** Of a runtime that is not killed, after others that may have been. */
async function endOf(folder: string, scenario: ScenarioName, name: string): Promise<unknown> {
  const life = await live(folder, scenario, { kill: 'never', file: join(folder, 'reached') })
  expectWhole(life, folder, name)
  return life.end
}

/** Of the points at which runtimes are killed. */
function reachedIn(folder: string): readonly string[] {
  const all = readFileSync(join(folder, 'reached'), 'utf8').trim().split('\n')
  return all.filter((point) => points.includes(point))
}

test(
  'killed at each crash point once, a workflow with every kind of node ends as if it had not been',
  async () => {
    const undisturbed = await endOf(newFolder(), 'everything', 'never killed')
    expect(undisturbed).toMatchObject({
      runs: [
        { name: 'Everything', state: 'failed' },
        { name: 'Inner', state: 'completed', result: JSON.stringify({ text: said.toUpperCase() }) },
      ],
      effects: [
        ...['first', 'inside', 'item@0', 'item@1', 'item@2', 'item_after@0', 'item_after@1', 'item_after@2', 'last'],
        ...['round@0', 'round@1', 'undo first', 'undo last'],
      ],
      sent: ['approved', 'sent'],
      waiting: 0,
      mistakes: [],
    })
    const file = join(ground, 'killed')
    writeFileSync(file, '')
    const killed = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
    // What was reached before a kill is not reached again: a fresh folder reaches those points.
    for (let known = -1; killed().length > known; ) {
      known = killed().length
      const folder = newFolder()
      for (;;) {
        const { code, signal, errors } = await live(folder, 'everything', { kill: 'each_point_once', file, among: points })
        expect(code === 0 || signal === 'SIGKILL', `killed at ${killed().join(', ')}: ${errors}`).toBe(true)
        if (code === 0) break
      }
      expect(await endOf(folder, 'everything', killed().join(', ')), `killed at ${killed().join(', ')}`).toEqual(undisturbed)
    }
    expect(killed().toSorted()).toEqual(points.toSorted())
  },
  patience_ms,
)

test(
  'killed while it takes effects back, each is taken back once',
  async () => {
    const first = newFolder()
    const undisturbed = await endOf(first, 'undone', 'never killed')
    expect(undisturbed).toMatchObject({ runs: [{ state: 'failed' }], effects: ['first', 'undo first'], waiting: 0, mistakes: [] })
    for (const [at, point] of reachedIn(first).entries()) {
      if (point !== 'tool_started' && point !== 'tool_done' && point !== 'effect_undone') continue
      const folder = newFolder()
      const { signal, errors } = await live(folder, 'undone', { kill: 'at', n: at + 1, among: points })
      expect(signal, errors).toBe('SIGKILL')
      expect(await endOf(folder, 'undone', point), `killed at ${at + 1}, ${point}`).toEqual(undisturbed)
    }
  },
  patience_ms,
)

test(
  'killed while a person cancels it, it takes its effects back and ends as canceled',
  async () => {
    const undisturbed = await endOf(newFolder(), 'canceled', 'never killed')
    expect(undisturbed).toMatchObject({
      ...{ runs: [{ state: 'canceled', reason: 'no longer needed' }], effects: ['first', 'undo first'], waiting: 0, mistakes: [] },
    })
    const file = join(ground, 'canceled')
    const folder = newFolder()
    const among = ['workflow_canceled', 'run_resumed', 'effect_undone']
    for (const _point of among) {
      const { signal, errors } = await live(folder, 'canceled', { kill: 'each_point_once', file, among })
      expect(signal, errors).toBe('SIGKILL')
    }
    expect(await endOf(folder, 'canceled', 'killed while canceling')).toEqual(undisturbed)
  },
  patience_ms,
)

/** Kills runtimes of one folder at random points, and expects the end of one that was not killed. */
async function expectSameEnd(scenario: ScenarioName, kills: number, kill_seed: number, prepare: (folder: string) => void): Promise<void> {
  const first = newFolder()
  prepare(first)
  const undisturbed = await endOf(first, scenario, 'never killed')
  expect(undisturbed).toMatchObject({ waiting: 0, mistakes: [] })
  const folder = newFolder()
  prepare(folder)
  const places = fc.sample(fc.integer({ min: 1, max: Math.ceil(reachedIn(first).length / 2) }), { numRuns: kills, seed: kill_seed })
  for (const n of places) {
    const { code, signal, errors } = await live(folder, scenario, { kill: 'at', n, among: points })
    expect(code === 0 || signal === 'SIGKILL', `seed ${seed}, killed at ${places.join(', ')}: ${errors}`).toBe(true)
  }
  const name = `seed ${seed}, killed at ${places.join(', ')}`
  expect(await endOf(folder, scenario, name), `${name}, in ${folder}`).toEqual(undisturbed)
}

test(
  `killed at ${randomKills} random points, a workflow with every kind of node ends as if it had not been`,
  async () => {
    for (let left = randomKills; left > 0; left -= 3) await expectSameEnd('everything', Math.min(left, 3), seed + left, () => undefined)
  },
  patience_ms,
)

test(
  `${workflows} generated workflows end as if the runtime had not been killed`,
  async () => {
    const together = 5
    for (let from = 0; from < workflows; from += together) {
      const definitions = Array.from({ length: Math.min(together, workflows - from) }, (_one, at) =>
        fc.sample(smallWorkflow(`${at} `), { numRuns: 1, seed: seed + from + at }),
      ).flat()
      await expectSameEnd('generated', 3, seed + from, (folder) =>
        writeFileSync(join(folder, 'definitions.json'), JSON.stringify(definitions)),
      )
    }
  },
  patience_ms,
)
