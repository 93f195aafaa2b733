// Plays one run of the fourth: after a failure that matters the agent tries to repair it or to work around it, after a result that is none it goes on.
import type { Action } from '../action.ts'
import { programOf } from '../action.ts'
import { complaint, type Outcome, settle, succeed } from '../play.ts'
import { Recorder } from '../recorder.ts'
import type { CauseKey, Run } from '../run.ts'
import { failed } from '../run.ts'
import type { Errand, Scene } from '../scene.ts'
import type { World } from '../world.ts'
import { fourthResults, fourthRoutine, fourthSlips } from './noise.ts'

export interface DayScene extends Scene {
  /** What the agent inspects once it has seen the failure. */
  readonly looks: readonly Action[]
  /** Repairs and ways around the cause that do not help; each is a sequence. */
  readonly tries: readonly (readonly Action[])[]
}

export type DayMaker = (world: World) => DayScene | Promise<DayScene>

const mostCalls = 25
/** From here on the agent only brings the run to its end. */
const enough = 17

const attempts: Readonly<Record<Outcome, readonly [least: number, most: number]>> = {
  failed: [1, 3],
  repaired: [0, 1],
  canceled: [0, 1],
  unnoticed: [1, 2],
}

export async function playDay(id: string, world: World, cause: CauseKey, scene: DayScene, no: number, outcome: Outcome): Promise<Run> {
  const { random } = world
  const recorder = new Recorder(world)
  const { goOn, slip } = interruptions(world, recorder)
  const root = scene.doors[no % scene.doors.length]
  if (root === undefined) throw new Error(`${scene.name} has no door`)
  await settle(world, recorder)
  await goOn(random.integer(0, 2))
  for (const action of scene.before ?? []) await succeed(recorder, action)
  await slip(random.integer(0, 1))
  const call = await recorder.perform(root, 'root')
  if (!failed(call)) throw new Error(`${scene.name}: ${JSON.stringify(root)} did not fail: ${JSON.stringify(call)}`)

  for (const action of random.shuffle(scene.looks).slice(0, random.integer(0, 2))) await recorder.perform(action)
  const [least, most] = attempts[outcome]
  const others = random.shuffle(scene.doors.filter((door) => door !== root))
  for (const [at, attempt] of random.shuffle(scene.tries).slice(0, random.integer(least, most)).entries()) {
    if (recorder.calls.length >= enough) break
    for (const action of attempt) await recorder.perform(action)
    if (random.chance(0.7)) await recorder.perform(at === 0 ? root : (others.shift() ?? root))
    if (random.chance(0.2)) await slip(1)
  }
  if (outcome !== 'repaired') {
    const least = outcome === 'unnoticed' ? 1 : 0
    for (const action of scene.after.slice(0, random.integer(least, scene.after.length))) await recorder.perform(action)
    if (outcome === 'failed' && random.chance(0.12)) await insist(world, recorder, root)
  } else for (const action of scene.repair) await succeed(recorder, action)
  await goOn(outcome === 'failed' ? random.integer(0, 1) : 0)
  while (recorder.calls.length < 3) await succeed(recorder, random.pick(fourthRoutine))
  if (recorder.calls.length > mostCalls) throw new Error(`${scene.name} has ${recorder.calls.length} calls`)

  const completed = outcome === 'repaired' || outcome === 'unnoticed'
  return {
    id,
    language: world.language,
    request: scene.request,
    cause,
    scene: scene.name,
    program: programOf(root),
    ...(outcome === 'repaired' ? { repaired: true } : {}),
    calls: recorder.calls,
    end: completed ? 'completed' : outcome === 'canceled' ? 'canceled' : 'failed',
    answer: completed ? scene.done : '',
    correction: outcome === 'unnoticed' ? complaint(world) : null,
  }
}

export async function playDayErrand(id: string, world: World, errand: Errand): Promise<Run> {
  const { random } = world
  const recorder = new Recorder(world)
  const { goOn, slip } = interruptions(world, recorder)
  await settle(world, recorder)
  await goOn(random.integer(1, 2))
  await slip(random.integer(0, 1))
  for (const action of errand.actions) await recorder.perform(action)
  const last = recorder.calls.at(-1)
  if (last && failed(last)) throw new Error(`${errand.name}: ${JSON.stringify(last)}`)
  await goOn(random.integer(0, 1))
  return {
    id,
    language: world.language,
    request: errand.request,
    cause: null,
    scene: errand.name,
    program: null,
    calls: recorder.calls,
    end: 'completed',
    answer: errand.done,
    correction: random.chance(0.1)
      ? world.say('Good. And now the same for the other folder.', 'Gut. Und jetzt dasselbe für den anderen Ordner.')
      : null,
  }
}

/** Each kind occurs at most once in a run. */
function interruptions(world: World, recorder: Recorder) {
  const [results, slips] = [world.random.shuffle(fourthResults), world.random.shuffle(fourthSlips)]
  return {
    /** A result that is no failure for the task, after which the agent does something else. */
    async goOn(count: number): Promise<void> {
      for (const kind of results.splice(0, count)) {
        for (const action of await kind(world)) await recorder.perform(action)
        await succeed(recorder, world.random.pick(fourthRoutine))
      }
    },
    /** A mistake that the next call corrects. */
    async slip(count: number): Promise<void> {
      for (const kind of slips.splice(0, count)) for (const action of await kind(world)) await recorder.perform(action)
    },
  }
}

async function insist(world: World, recorder: Recorder, root: Action): Promise<void> {
  const rounds = world.random.integer(2, 4)
  for (let round = 0; round < rounds && recorder.calls.length < mostCalls - 3; round++) {
    await recorder.perform(root)
    await succeed(recorder, world.random.pick(fourthRoutine))
  }
}
