// A run is killed with -9 at every crash point, and must end as if nothing had happened. All pairs: npm run test:crash.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBundledProgram } from '../../test/support/bundled-program.ts'
import { type Script, startTestModel, type TestModel } from '../../test/support/model/test-model.ts'
import { type CrashPlace, runProcess } from '../../test/support/run/test-crash-run.ts'
import { openTestRuns } from '../../test/support/run/test-runs.ts'
import { crashpoints } from './crashpoint.ts'

const child = useBundledProgram('run/test-crash-child.ts')
const seed = Number(process.env.TANDEM_SEED)
const isThorough = process.env.TANDEM_CRASH_PAIRS === 'all'

/**
 * Four calls and a question: one effect without approval, one with approval, one read, one wait. Depends on the messages that the model
 * got, not on how often it was called.
 */
const script: Script = (_index, { messages }) => {
  const results = messages.filter(({ role }) => role === 'tool').length
  const turns = [
    { text: 'First a mark, told in pieces.', calls: [{ name: 'test.mark', arguments: { text: 'one' } }] },
    { calls: [{ name: 'test.guarded', arguments: { text: 'two' } }] },
    { text: 'A question.', calls: [{ name: 'ask_user', arguments: { question: 'Shall I?' } }] },
    { calls: [{ name: 'test.look', arguments: { text: 'three' } }] },
    { calls: [{ name: 'test.wait', arguments: { ms: 0 } }] },
    { text: 'All three things are done.' },
  ]
  return turns[results] ?? { text: 'Too many results.' }
}

let model: TestModel
/** Every crash point of an undisturbed process, with its number: `tool_started:2` is the second call. */
let fates: string[]
/** Contains everything that the processes of this file leave behind. */
const ground = mkdtempSync(join(tmpdir(), 'tandem-crash-'))
let folders = 0

beforeAll(async () => {
  model = await startTestModel(script)
  const home = newHome()
  fates = await liveOn(home)
  expect(look(home)).toEqual(undisturbed)
})

afterAll(async () => {
  await model.close()
  rmSync(ground, { recursive: true, force: true })
})

const undisturbed = {
  state: 'completed',
  marks: ['one', 'two'],
  outcomes: ['succeeded', 'succeeded', 'succeeded', 'succeeded', 'succeeded'],
  messages: ['Do the three things', 'First a mark, told in pieces.', 'A question.', 'All three things are done.'],
  usage: { input_tokens: 60, output_tokens: 30, cached_tokens: 0, estimated: false },
  pending: 0,
  /** How often the listeners were notified of its end. */
  ended: 1,
}

const newHome = () => join(ground, String(++folders))

/** Runs without being killed, so it needs no process of its own; returns the crash points it passed. */
async function liveOn(home: string, base_url = model.base_url): Promise<string[]> {
  const passed: string[] = []
  const times = new Map<CrashPlace, number>()
  await runProcess({
    home,
    base_url,
    reach(place) {
      times.set(place, (times.get(place) ?? 0) + 1)
      passed.push(`${place}:${times.get(place)}`)
    },
  })
  return passed
}

/** Runs in a separate process: to the crash point where it is killed, or to the end. */
function liveApart(
  home: string,
  { fate = '', base_url = model.base_url, words }: { fate?: string; base_url?: string; words?: string } = {},
): Promise<{ code: number | null; signal: string | null; errors: string }> {
  return new Promise((resolve) => {
    const args = [child.path, home, base_url, fate, ...(words === undefined ? [] : [words])]
    const process = spawn(globalThis.process.execPath, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...globalThis.process.env, NODE_COMPILE_CACHE: child.compiled },
    })
    let errors = ''
    process.stderr.on('data', (piece) => (errors += piece))
    process.on('close', (code, signal) => resolve({ code, signal, errors }))
  })
}

/** Kills a process at a crash point, and checks that it was killed. */
async function strike(home: string, fate: string, how: Parameters<typeof liveApart>[1] = {}): Promise<void> {
  const { signal, code, errors } = await liveApart(home, { ...how, fate })
  expect([signal, code], `${fate} was to be struck: ${errors}`).toEqual(['SIGKILL', null])
}

const firsts = new Map<string, { readonly home: string; readonly kept: string }>()

/**
 * The state after a first process was killed there: created once, then copied back, because a run works in the folder where it started. One
 * at a time for each crash point.
 */
async function struckAt(fate: string): Promise<string> {
  const known = firsts.get(fate)
  const { home, kept } = known ?? { home: newHome(), kept: newHome() }
  rmSync(home, { recursive: true, force: true })
  if (known) cpSync(kept, home, { recursive: true })
  else {
    await strike(home, fate)
    cpSync(home, kept, { recursive: true })
    firsts.set(fate, { home, kept })
  }
  return home
}

/** The content of the folder, read by a runtime that does nothing. */
function look(home: string) {
  const here = openTestRuns({ home, base_url: model.base_url })
  try {
    const [run] = here.journal.runs({ limit: 1 })
    if (!run) throw new Error('there is no run')
    const steps = here.journal.steps(run.run_id)
    return {
      state: run.state,
      marks: here.marks(),
      outcomes: steps.flatMap(({ step }) => (step.kind === 'tool.result' ? [step.outcome] : [])),
      messages: here.journal.messages.of(run.conversation, { limit: 100 }).map(({ text }) => text),
      usage: run.usage,
      pending: here.approvals.pending().length + here.questions.pending().length,
      ended: existsSync(join(home, 'ended')) ? readFileSync(join(home, 'ended'), 'utf8').trim().split('\n').length : 0,
    }
  } finally {
    here.close()
  }
}

/** After an undisturbed process, everything has happened once or is reported as interrupted. Returns the crash points of this process. */
async function survives(home: string, ...struck: string[]): Promise<string[]> {
  const name = `${struck.join(', ')} (seed ${seed})`
  const passed = await liveOn(home).catch((error: unknown) => expect.fail(`${name}: ${String(error)}`))
  const after = look(home)
  const interrupted = after.outcomes.filter((outcome) => outcome === 'interrupted').length
  expect({ ...after, marks: [], outcomes: [] }, name).toEqual({ ...undisturbed, marks: [], outcomes: [] })
  expect(after.outcomes.length, name).toBe(5)
  // Never twice; and missing only if the model was told that the effect is unknown.
  expect(new Set(after.marks).size, name).toBe(after.marks.length)
  expect(after.marks.length, name).toBeGreaterThanOrEqual(2 - interrupted)
  expect(interrupted, name).toBeLessThanOrEqual(struck.filter((fate) => /^tool_(?:started|done)/.test(fate)).length)
  return passed
}

/** Two at a time: while one waits for the disk, the other one works. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all([worker(), worker()])
}

test('covers every crash point', () => {
  const passed = new Set(fates.map(placeOf))
  // Only reached by a second process; killed below and in the next test.
  const elsewhere = ['run_found_broken', 'context_compacted']
  expect(crashpoints.filter((point) => !passed.has(point) && !elsewhere.includes(point))).toEqual([])
  expect(fates.length).toBeGreaterThan(20)
})

test('killed right after a conversation was compacted', async () => {
  const home = newHome()
  const long = await startTestModel((index) => ({ text: `${index} ${'word '.repeat(1_500)}` }))
  try {
    const first = openTestRuns({ home, base_url: long.base_url, window: 8_000 })
    for (const words of ['One', 'Two', 'Three']) expect((await first.ask(words)).state).toBe('completed')
    first.close()
    await strike(home, 'context_compacted:1', { base_url: long.base_url, words: 'Four' })
    await liveOn(home, long.base_url)
    const after = openTestRuns({ home, base_url: long.base_url })
    const [run] = after.journal.runs({ limit: 1 })
    expect(run).toMatchObject({ state: 'completed', title: 'Four' })
    expect(after.journal.steps(run?.run_id ?? '').filter(({ step }) => step.kind === 'context.compacted').length).toBe(1)
    after.close()
  } finally {
    await long.close()
  }
})

/** The crash points of a process that follows a killed one: all until the run continues, and the first after that. */
function comingBack(passed: readonly string[]): readonly string[] {
  const resumed = passed.findIndex((fate) => placeOf(fate) === 'run_resumed')
  return resumed === -1 ? passed : passed.slice(0, resumed + 2)
}

test('killed at every crash point once, also of its recovery, a run ends as if nothing had happened', async () => {
  const places = new Set<string>()
  await each(fates, async (first) => {
    const way = comingBack(await survives(await struckAt(first), first))
    for (const second of way) {
      if (places.has(placeOf(second)) && !isThorough) continue
      places.add(placeOf(second))
      const home = await struckAt(first)
      await strike(home, second)
      await survives(home, first, second)
    }
  })
  expect(['run_found_broken', 'run_resumed', 'approval_answered', 'question_answered'].filter((place) => !places.has(place))).toEqual([])
}, 600_000)

test('killed at ten random pairs of crash points, or at all', async () => {
  const random = mulberry(seed)
  const pairs = isThorough
    ? fates.flatMap((first) => fates.map((second) => [first, second] as const))
    : Array.from({ length: 10 }, () => [pick(fates, random), pick(fates, random)] as const)
  await each([...Map.groupBy(pairs, ([first]) => first).values()], async (sharing) => {
    for (const [first, second] of sharing) {
      const home = await struckAt(first)
      // A second process passes fewer crash points than a first one: it is not killed at a point that it does not reach.
      await liveApart(home, { fate: second })
      await survives(home, first, second)
    }
  })
}, 3_600_000)

test('only one runtime can use a folder: of two that would resume one run, one does', async () => {
  const home = await struckAt('tool_settled:1')
  const refused = Promise.withResolvers<void>()
  // The model does not respond to the first one before the other has ended: both run at the same time, however late one of them starts.
  const patient = await startTestModel((...asked) => ({ ...script(...asked), hold: refused.promise }))
  try {
    const lives = [liveApart(home, { base_url: patient.base_url }), liveApart(home, { base_url: patient.base_url })]
    await Promise.race(lives)
    refused.resolve()
    const both = await Promise.all(lives)
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
    expect(both.find(({ code }) => code === 1)?.errors).toContain('in use by another Tandem')
    expect(look(home)).toEqual(undisturbed)
  } finally {
    await patient.close()
  }
})

function placeOf(fate: string): string {
  return fate.slice(0, fate.indexOf(':'))
}

function pick(from: readonly string[], random: () => number): string {
  return from[Math.floor(random() * from.length)] ?? ''
}

/** A small generator with a seed, so that a failed pair can be repeated. */
function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
