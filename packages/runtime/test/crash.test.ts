// A whole runtime, with its tools, its sandbox and its checkpoints, is killed with -9 at every crash point and must reach the same result:
// nothing lost, nothing done twice. It is driven only by commands. More kills at random points: npm run test:crash.
import { constants, copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { crashpoints as checkpointCrashpoints } from '../src/checkpoint/crashpoint.ts'
import { crashpoints as lifecycleCrashpoints } from '../src/event/lifecycle/crashpoint.ts'
import { crashpoints as evolutionCrashpoints } from '../src/evolution/crashpoint.ts'
import { crashpoints as learningCrashpoints } from '../src/learning/crashpoint.ts'
import { crashpoints as runCrashpoints } from '../src/run/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'
import { after, before, crashScript } from './support/test-crash-script.ts'
import { expectWhole, lifeOf } from './support/test-process-life.ts'

const program = useBundledProgram('test-crash-process.ts')
const seed = Number(process.env.TANDEM_SEED)
/** How many processes are killed at a random point. */
const randomKills = Number(process.env.TANDEM_CRASH_KILLS ?? 6)
const patience_ms = 900_000 + randomKills * 30_000

let ground: string
let folder: string
let folders = 0
let model: TestModel
let undisturbed: unknown
/** The points that a runtime reaches if it is never killed. */
let reached: ReadonlySet<string>

beforeAll(async () => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-crash-')))
  model = await startTestModel(crashScript(() => join(folder, 'workspace')))
  newFolder()
  const file = join(folder, 'reached')
  const life = await live({ kill: 'never', file })
  expect([life.code, life.signal], life.errors).toEqual([0, null])
  undisturbed = life.end
  expect(undisturbed).toMatchObject({ files: after, waiting: 0 })
  reached = new Set(readFileSync(file, 'utf8').trim().split('\n'))
}, patience_ms)

afterAll(async () => {
  await model.close()
  rmSync(ground, { recursive: true, force: true })
})

beforeEach(newFolder)

function newFolder(): void {
  folder = join(ground, String(++folders))
  mkdirSync(join(folder, 'workspace'), { recursive: true })
  for (const [name, content] of Object.entries(before)) writeFileSync(join(folder, 'workspace', name), content)
}

const live = (plan: CrashPlan) => lifeOf(program, [folder, model.base_url], plan)

/** Restarts a runtime each time it is killed. */
async function liveUntilEnd(plan: CrashPlan, name: () => string): Promise<void> {
  for (;;) {
    const { code, signal, errors, end } = await live(plan)
    if (code === 0) return expect(end, name()).toEqual(undisturbed)
    expect([code, signal], `killed at ${name()}: ${errors}`).toEqual([null, 'SIGKILL'])
  }
}

/** The result of a process that is not killed, after others that were. */
async function expectSameEnd(name: string): Promise<void> {
  const life = await live({ kill: 'never', file: join(folder, 'reached') })
  expectWhole(life, folder, name)
  expect(life.end, name).toEqual(undisturbed)
}

/** Files are cloned only where the file system can share their blocks. */
function sharesBlocks(): boolean {
  const from = join(ground, 'original')
  writeFileSync(from, 'x'.repeat(4_096))
  try {
    copyFileSync(from, join(ground, 'clone'), constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    // This one cannot: checkpoint/crash.test.ts kills at these points with a clone that is a copy.
    return false
  }
}

test(
  'killed at each crash point once, restarted each time, it reaches the same result',
  async () => {
    const file = join(ground, 'killed')
    writeFileSync(file, '')
    const killed = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
    // A restore that was killed is finished by the next start, which skips the later points: a fresh folder reaches those.
    for (let known = -1; killed().length > known; newFolder()) {
      known = killed().length
      await liveUntilEnd({ kill: 'each_point_once', file }, () => killed().join(', '))
      await expectSameEnd(`killed at ${killed().join(', ')}`)
    }
    // Memory, learning and evolution listen to every event that happens here; learning.test.ts and evolution.test.ts reach the rest.
    const learning = learningCrashpoints.filter((point) => point.startsWith('cycle_'))
    const all: readonly string[] = [
      ...runCrashpoints,
      ...checkpointCrashpoints,
      ...lifecycleCrashpoints,
      ...learning,
      ...evolutionCrashpoints.filter((point) => point !== 'gap_result_recorded'),
    ]
    const needsClones = sharesBlocks() ? [] : ['clone:written', 'sweep:clone']
    expect(killed().toSorted()).toEqual(all.filter((point) => !needsClones.includes(point)).toSorted())
  },
  patience_ms,
)

test('a runtime that is never killed reaches every point except those of recovery', () => {
  const all: readonly string[] = [...runCrashpoints, ...checkpointCrashpoints]
  const afterKills = ['run_found_broken', 'recover:applied', 'recover:recorded']
  const needsClones = sharesBlocks() ? [] : ['clone:written', 'sweep:clone']
  expect(all.filter((point) => !reached.has(point)).toSorted()).toEqual([...afterKills, ...needsClones].toSorted())
})

test(
  `killed at ${randomKills} random points, it reaches the same result`,
  async () => {
    const random = mulberry(seed)
    for (let left = randomKills; left > 0; ) {
      newFolder()
      const kills: number[] = []
      // A few kills for each scenario: most processes get further than the one before.
      for (let kill = 0; kill < 6 && left > 0; kill += 1, left -= 1) {
        const n = 1 + Math.floor(random() * 60)
        kills.push(n)
        const { code, signal, errors } = await live({ kill: 'at', n })
        expect(code === 0 || signal === 'SIGKILL', `seed ${seed}, killed at ${kills.join(', ')}: ${errors}`).toBe(true)
      }
      await expectSameEnd(`seed ${seed}, killed at ${kills.join(', ')}`)
    }
  },
  patience_ms,
)

/** A small seeded generator, so that kills that failed can be repeated. */
function mulberry(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
