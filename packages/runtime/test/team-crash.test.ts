// A whole runtime is killed with -9 while its team works, and restarted: no member runs twice, no result is lost, and a merge is all or nothing.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crashpoints as teamCrashpoints } from '../src/cooperation/crashpoint.ts'
import { crashpoints as mergeCrashpoints } from '../src/cooperation/merge/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'
import { everything, teamScript } from './support/team/test-team-script.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'
import { expectWhole, lifeOf } from './support/test-process-life.ts'

const program = useBundledProgram('team/test-team-process.ts')
const points: readonly string[] = [...teamCrashpoints, ...mergeCrashpoints]
const seed = Number(process.env.TANDEM_SEED)
/** More: npm run test:team. */
const randomKills = Number(process.env.TANDEM_TEAM_KILLS ?? 4)
const patience_ms = 900_000 + randomKills * 60_000

let ground: string
let folders = 0
let model: TestModel

beforeAll(async () => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-team-crash-')))
  model = await startTestModel(teamScript(everything))
})

afterAll(async () => {
  await model.close()
  rmSync(ground, { recursive: true, force: true })
})

function newFolder(): string {
  const workspace = join(ground, String(++folders), 'workspace')
  mkdirSync(join(workspace, 'shared'), { recursive: true })
  for (const name of ['one.txt', 'old.txt']) writeFileSync(join(workspace, name), 'as before\n')
  return join(workspace, '..')
}

const live = (folder: string, plan: CrashPlan) => lifeOf(program, [folder, model.base_url], plan)

/** Of a runtime that is not killed, after others that may have been. */
async function endOf(folder: string, name: string): Promise<unknown> {
  const life = await live(folder, { kill: 'never', file: join(folder, 'reached') })
  expectWhole(life, folder, name)
  return life.end
}

const undisturbed = {
  members: [
    ['Adviser', 'completed'],
    ['Copier', 'completed'],
    ['Lead', 'completed'],
    ['Sharer', 'completed'],
  ],
  told: ['The copy is changed.', 'The member "Copier"  has ended: completed.', 'The member "Sharer"  has ended: completed.'],
  ended: 3,
  merged: [3],
  files: ['new/two.txt: new', 'one.txt: changed by the copier', 'shared/three.txt: shared'],
  copies: [['Copier', 'merged']],
  rest: [],
}

test(
  'killed at each crash point once, a team ends as if it had not been',
  async () => {
    expect(await endOf(newFolder(), 'never killed')).toEqual(undisturbed)
    const file = join(ground, 'killed')
    writeFileSync(file, '')
    const killed = () => readFileSync(file, 'utf8').split('\n').filter(Boolean)
    // What was reached before a kill is not reached again: a fresh folder reaches those points.
    for (let known = -1; killed().length > known; ) {
      known = killed().length
      const folder = newFolder()
      for (;;) {
        const { code, signal, errors } = await live(folder, { kill: 'each_point_once', file, among: points })
        expect(code === 0 || signal === 'SIGKILL', `killed at ${killed().join(', ')}: ${errors}`).toBe(true)
        if (code === 0) break
      }
      expect(await endOf(folder, killed().join(', ')), `killed at ${killed().join(', ')}`).toEqual(undisturbed)
    }
    expect(killed().toSorted()).toEqual(points.toSorted())
  },
  patience_ms,
)

test(
  `killed at ${randomKills} random points of any kind, a team ends as if it had not been`,
  async () => {
    const first = newFolder()
    await endOf(first, 'never killed')
    const reached = readFileSync(join(first, 'reached'), 'utf8').trim().split('\n').length
    const folder = newFolder()
    const places = fc.sample(fc.integer({ min: 1, max: Math.ceil(reached / 2) }), { numRuns: randomKills, seed })
    for (const n of places) {
      const { code, signal, errors } = await live(folder, { kill: 'at', n })
      expect(code === 0 || signal === 'SIGKILL', `seed ${seed}, killed at ${places.join(', ')}: ${errors}`).toBe(true)
    }
    const name = `seed ${seed}, killed at ${places.join(', ')}, in ${folder}`
    expect(await endOf(folder, name), name).toEqual(undisturbed)
  },
  patience_ms,
)
