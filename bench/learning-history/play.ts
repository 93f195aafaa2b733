// Plays one run: an agent at work in a world, as far as its cause lets it.
import type { Action } from './action.ts'
import { programOf } from './action.ts'
import { noise, routine } from './noise.ts'
import { Recorder } from './recorder.ts'
import type { CauseKey, Part, Run } from './run.ts'
import { failed } from './run.ts'
import type { Errand, Scene } from './scene.ts'
import type { World } from './world.ts'

/** How a run with a cause ends. `unnoticed`: the agent says that it is done, and the user corrects it. */
export const outcomes = ['failed', 'repaired', 'canceled', 'unnoticed'] as const
export type Outcome = (typeof outcomes)[number]

const mostCalls = 25

export async function playScene(id: string, world: World, cause: CauseKey, scene: Scene, no: number, outcome: Outcome): Promise<Run> {
  const { random } = world
  const recorder = new Recorder(world)
  const disturb = disturbances(world, recorder)
  const root = scene.doors[no % scene.doors.length]
  if (root === undefined) throw new Error(`${scene.name} has no door`)
  await settle(world, recorder)
  await disturb(random.integer(0, 1))
  for (const action of scene.before ?? []) await succeed(recorder, action)
  await disturb(random.integer(0, 1))
  const call = await recorder.perform(root, 'root')
  if (!failed(call)) throw new Error(`${scene.name}: ${JSON.stringify(root)} did not fail: ${JSON.stringify(call)}`)
  const others = random.shuffle(scene.doors.filter((door) => door !== root))
  for (const door of others.slice(0, random.integer(0, 2))) await recorder.perform(door)
  await disturb(random.integer(0, 1))
  for (const action of scene.after.slice(0, random.integer(outcome === 'repaired' ? 0 : 1, scene.after.length)))
    await recorder.perform(action)
  await disturb(random.integer(0, 2))
  if (outcome === 'repaired') for (const action of scene.repair) await succeed(recorder, action)
  else if (random.chance(0.15)) await insist(world, recorder, [root, ...others])
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

export async function playErrand(id: string, world: World, errand: Errand): Promise<Run> {
  const { random } = world
  const recorder = new Recorder(world)
  const disturb = disturbances(world, recorder)
  await settle(world, recorder)
  await disturb(random.integer(0, 2))
  for (const action of errand.actions) await recorder.perform(action)
  const last = recorder.calls.at(-1)
  if (last && failed(last)) throw new Error(`${errand.name}: ${JSON.stringify(last)}`)
  await disturb(random.integer(0, 1))
  while (recorder.calls.length < 3) await succeed(recorder, random.pick(routine[world.part]))
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
    correction: random.chance(0.1) ? wish(world) : null,
  }
}

export async function settle(world: World, recorder: Recorder): Promise<void> {
  for (const action of world.random.shuffle(routine[world.part]).slice(0, world.random.integer(1, 3))) await succeed(recorder, action)
}

export async function succeed(recorder: Recorder, action: Action): Promise<void> {
  const call = await recorder.perform(action)
  if (failed(call)) throw new Error(`It must succeed: ${JSON.stringify(call)}`)
}

/** Each kind of noise occurs at most once in a run. */
function disturbances(world: World, recorder: Recorder): (count: number) => Promise<void> {
  const kinds = world.random.shuffle(noise[world.part])
  return async (count) => {
    for (const kind of kinds.splice(0, count)) for (const action of await kind(world)) await recorder.perform(action)
  }
}

/** An agent that tries the same things again and looks around in between. */
async function insist(world: World, recorder: Recorder, doors: readonly Action[]): Promise<void> {
  const rounds = world.random.integer(2, 6)
  for (let round = 0; round < rounds && recorder.calls.length < mostCalls - 1; round++) {
    await recorder.perform(world.random.pick(doors))
    await succeed(recorder, world.random.pick(routine[world.part]))
  }
}

export function complaint(world: World): string {
  return world.say(...world.random.pick(complaints[world.part]))
}

const complaints: Readonly<Record<Part, readonly (readonly [english: string, german: string])[]>> = {
  tuning: [
    ['No, it is still not there.', 'Nein, es ist immer noch nicht da.'],
    ['That did not work. Please look again.', 'Das hat nicht geklappt. Bitte sieh noch einmal nach.'],
  ],
  'held-out': [
    ['You said it was done, but I get the same error.', 'Du sagst, es sei fertig, aber ich bekomme denselben Fehler.'],
    ['Did you check? Nothing happened.', 'Hast du das geprüft? Es ist nichts passiert.'],
  ],
  third: [
    ['It is not finished at all, it breaks at the same place.', 'Das ist gar nicht fertig, es bricht an derselben Stelle ab.'],
    ['I just tried it myself and it does not work.', 'Ich habe es gerade selbst versucht, es geht nicht.'],
  ],
  fourth: [
    ['Still broken on my side, same message as before.', 'Bei mir immer noch kaputt, dieselbe Meldung wie vorher.'],
    ['That is not what I asked for, the step was skipped.', 'Das war nicht die Aufgabe, der Schritt fehlt einfach.'],
  ],
}

const wish = (world: World) => world.say('Thanks. Shorter next time, please.', 'Danke. Beim nächsten Mal bitte kürzer.')
