// A runtime is killed with -9 while it imports, and the user imports again: nothing is lost, and nothing is there twice.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { crashpoints } from '../src/commands/import/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'
import { expectWhole, lifeOf } from './support/test-process-life.ts'

vi.setConfig({ testTimeout: 300_000 })
const program = useBundledProgram('test-import-process.ts')

const whole = {
  again: ['known', 'known', 'known', 'known'],
  count: 2,
  conversations: {
    one: ['one 0', 'one 1', 'one 2', 'one 3', 'one 4', 'one 5'],
    two: ['two 0', 'two 1', 'two 2', 'two 3', 'two 4', 'two 5'],
  },
}

function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-import-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'workspace'))
  return folder
}

/** Until one life ends by itself. Returns how many were killed. */
async function importAll(folder: string, plans: Iterable<CrashPlan>): Promise<number> {
  let kills = 0
  for (const plan of plans) {
    const life = await lifeOf(program, [folder], plan)
    if (life.code === null) {
      expect(life.signal, life.errors).toBe('SIGKILL')
      kills += 1
      continue
    }
    expectWhole(life, folder, 'imported')
    expect(life.end).toEqual(whole)
    return kills
  }
  throw new Error('no life ended by itself')
}

test('killed at every point of an import once, and imported again', async () => {
  const folder = newFolder()
  const file = join(folder, 'points')
  writeFileSync(file, '')
  const plan: CrashPlan = { kill: 'each_point_once', file, among: [...crashpoints] }
  expect(await importAll(folder, Array(crashpoints.length + 1).fill(plan))).toBe(crashpoints.length)
  expect(readFileSync(file, 'utf8').trim().split('\n').toSorted()).toEqual([...crashpoints].toSorted())
})

test('killed while newer messages are added, before and after they are stored, and imported again', async () => {
  // Two older conversations, then two newer ones, with three points each.
  for (const n of [8, 9, 11]) {
    const plans: CrashPlan[] = [
      { kill: 'at', n, among: [...crashpoints] },
      { kill: 'at', n: 1_000 },
    ]
    expect(await importAll(newFolder(), plans)).toBe(1)
  }
})
