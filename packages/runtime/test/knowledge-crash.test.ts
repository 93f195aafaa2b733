// A runtime that reads and removes sources is killed with -9 at each step, and must know the same in the end.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { crashpoints } from '../src/kb/crashpoint.ts'
import { useBundledProgram } from './support/bundled-program.ts'
import type { CrashPlan } from './support/test-crash-preload.ts'
import { lifeOf } from './support/test-process-life.ts'

const child = useBundledProgram('test-knowledge-process.ts')
const patience_ms = 600_000
const files = 150

let ground: string

beforeAll(() => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-kb-crash-')))
})

afterAll(() => rmSync(ground, { recursive: true, force: true }))

function newFolder(name: string): string {
  const workspace = join(ground, name, 'workspace')
  mkdirSync(workspace, { recursive: true })
  for (let at = 0; at < files; at += 1)
    writeFileSync(join(workspace, `${at}.md`), `# Boat ${at}\n\nThe boat number ${at} is ${at % 10 === 0 ? 'seven' : 'other'}.\n`)
  return join(ground, name)
}

const live = (folder: string, plan: CrashPlan | null) => lifeOf(child, [folder], plan)

test('killed once at each point, it knows the same in the end, and what was removed is gone', { timeout: patience_ms }, async () => {
  const undisturbed = await live(newFolder('undisturbed'), null)
  expect(undisturbed.code, undisturbed.errors).toBe(0)
  expect(undisturbed.end).toMatchObject({ sources: [{ name: 'Notes', state: 'ready', files }], leftovers: [] })
  const folder = newFolder('killed')
  const file = join(ground, 'reached')
  const among = crashpoints
  let killed = 0
  for (;;) {
    const life = await live(folder, { kill: 'each_point_once', file, among })
    if (life.signal === 'SIGKILL') {
      killed += 1
      continue
    }
    expect(life.code, life.errors).toBe(0)
    expect(life.end).toEqual(undisturbed.end)
    break
  }
  const reached = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  expect(new Set(reached)).toEqual(new Set(crashpoints))
  expect(killed).toBe(crashpoints.length)
})
