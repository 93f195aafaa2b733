// Which runs there are: each cause equally often, in both languages, and one in five without a cause.
import { mergeConflict } from './causes/merge-conflict.ts'
import { missingDependency } from './causes/missing-dependency.ts'
import { permissionDenied } from './causes/permission-denied.ts'
import { portInUse } from './causes/port-in-use.ts'
import { registryRefused } from './causes/registry-refused.ts'
import { timeLimit } from './causes/time-limit.ts'
import { truncatedArchive } from './causes/truncated-archive.ts'
import { wrongConstant } from './causes/wrong-constant.ts'
import { errands } from './errands.ts'
import { fourthCauses } from './fourth/causes.ts'
import { playDay, playDayErrand } from './fourth/day.ts'
import { fourthErrands } from './fourth/errands.ts'
import { type Outcome, playErrand, playScene } from './play.ts'
import { Random } from './random.ts'
import { type CauseKey, causeKeys, type Language, languages, type Part, type Run } from './run.ts'
import type { Cause, ErrandMaker, SceneMaker } from './scene.ts'
import { thirdCauses } from './third/causes.ts'
import { thirdErrands } from './third/errands.ts'
import type { World } from './world.ts'

const causes: Readonly<Record<CauseKey, Cause>> = {
  missing_dependency: missingDependency,
  port_in_use: portInUse,
  merge_conflict: mergeConflict,
  registry_refused: registryRefused,
  permission_denied: permissionDenied,
  truncated_archive: truncatedArchive,
  wrong_constant: wrongConstant,
  time_limit: timeLimit,
}

const perCause = 20
const withoutCause = 40

const ends: readonly Outcome[] = [
  ...Array<Outcome>(12).fill('failed'),
  ...Array<Outcome>(4).fill('repaired'),
  ...Array<Outcome>(2).fill('canceled'),
  ...Array<Outcome>(2).fill('unnoticed'),
]

const seeds: Readonly<Record<Part, number>> = { tuning: 24, 'held-out': 2_024, third: 30_024, fourth: 44_024 }

export interface PlannedRun {
  readonly cause: CauseKey | null
  readonly language: Language
  readonly play: (id: string, world: World) => Promise<Run>
}

/** In the order in which they are stored, which says nothing about their causes. */
export function plan(part: Part): readonly PlannedRun[] {
  const random = new Random(seeds[part])
  const withCause = causeKeys.flatMap((cause) => {
    const outcomes = random.shuffle(ends)
    if (part === 'fourth') {
      return spread(fourthCauses[cause], perCause).map(({ item: makeScene, use, language }, at): PlannedRun => {
        const outcome = outcomes[at] ?? 'failed'
        return { cause, language, play: async (id, world) => playDay(id, world, cause, await makeScene(world), use, outcome) }
      })
    }
    return spread(scenesOf(part, cause), perCause).map(({ item: makeScene, use, language }, at): PlannedRun => {
      // The calls that show the cause alternate with the languages, so that each is tried in both.
      const door = Math.floor(use / 2) + (use % 2) * 2
      const outcome = outcomes[at] ?? 'failed'
      return { cause, language, play: async (id, world) => playScene(id, world, cause, await makeScene(world), door, outcome) }
    })
  })
  const without = spread(errandsOf(part), withoutCause).map(({ item: makeErrand, language }): PlannedRun => {
    return {
      cause: null,
      language,
      play: async (id, world) => (part === 'fourth' ? playDayErrand : playErrand)(id, world, await makeErrand(world)),
    }
  })
  return random.shuffle([...withCause, ...without])
}

function errandsOf(part: Part): readonly ErrandMaker[] {
  if (part === 'fourth') return fourthErrands
  return part === 'third' ? thirdErrands : errands[part]
}

function scenesOf(part: Exclude<Part, 'fourth'>, cause: CauseKey): readonly SceneMaker[] {
  return part === 'third' ? thirdCauses[cause] : causes[cause][part]
}

function spread<Item>(items: readonly Item[], count: number): { readonly item: Item; readonly use: number; readonly language: Language }[] {
  return Array.from({ length: count }, (_, at) => {
    const [kind, use] = [at % items.length, Math.floor(at / items.length)]
    const [item, language] = [items[kind], languages[(kind + use) % languages.length]]
    if (item === undefined || language === undefined) throw new Error('There is nothing to spread')
    return { item, use, language }
  })
}
