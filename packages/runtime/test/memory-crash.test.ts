// A runtime that remembers is killed with -9 while it flushes, resolves, reviews and imports, and must know the same in the end: nothing lost,
// nothing twice. A kill comes before a write of memories, so most of them are in the middle of a transaction.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useBundledProgram } from './support/bundled-program.ts'
import { startTestModel, type TestModel } from './support/model/test-model.ts'

const phases = ['flush', 'resolution', 'review', 'import'] as const
const child = useBundledProgram('test-memory-process.ts')
const preload = new URL('./support/test-memory-kill.ts', import.meta.url).href
const patience_ms = 600_000
/** How many kills, at least two in each phase; npm run test:crash kills before every write. */
const wanted = Number(process.env.TANDEM_CRASH_KILLS ?? 6)

interface Life {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly errors: string
  readonly result: { readonly end: object; readonly writes: number; readonly phases: Readonly<Record<string, readonly number[]>> } | null
}

let ground: string
let model: TestModel
let undisturbed: NonNullable<Life['result']>

beforeAll(async () => {
  ground = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-memory-crash-')))
  model = await startTestModel(() => ({ text: 'Noted.' }))
  const { code, errors, result } = await live(newFolder('undisturbed'), 0)
  expect(code, errors).toBe(0)
  if (!result) throw new Error('no result')
  undisturbed = result
}, patience_ms)

afterAll(async () => {
  await model.close()
  rmSync(ground, { recursive: true, force: true })
})

function newFolder(name: string): string {
  const folder = join(ground, name)
  mkdirSync(join(folder, 'workspace'), { recursive: true })
  return folder
}

function live(folder: string, killAt: number): Promise<Life> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir(), NODE_COMPILE_CACHE: child.compiled }
    const started = spawn(process.execPath, ['--import', preload, child.path, folder, model.base_url], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...env, TANDEM_TEST_KILL_AT: String(killAt) },
    })
    let [output, errors] = ['', '']
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    started.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    started.on('close', (code, signal) => {
      const last = output.trim().split('\n').at(-1) ?? ''
      resolve({ code, signal, errors, result: code === 0 ? JSON.parse(last) : null })
    })
  })
}

test('what it knows without a kill is what was said, with what was replaced', () => {
  expect(undisturbed.end).toMatchObject({
    reviews: 1,
    memories: expect.arrayContaining([
      expect.objectContaining({ content: 'I live in Braga.', state: 'active', supersedes: ['I live in Porto.'] }),
      expect.objectContaining({ content: 'I live in Porto.', state: 'superseded' }),
    ]),
  })
  expect(undisturbed.writes).toBeGreaterThan(50)
})

test.each(phases)('killed in the phase %s and started again, it knows the same', { timeout: patience_ms }, async (phase) => {
  const writes = undisturbed.phases[phase] ?? []
  expect(writes.length, phase).toBeGreaterThan(0)
  for (const killAt of chosenOf(writes)) {
    const folder = newFolder(`killed-${phase}-${killAt}`)
    const killed = await live(folder, killAt)
    expect([killed.code, killed.signal], `at write ${killAt}: ${killed.errors}`).toEqual([null, 'SIGKILL'])
    const { code, errors, result } = await live(folder, 0)
    expect(code, `after write ${killAt}: ${errors}`).toBe(0)
    expect(result?.end, `after write ${killAt}`).toEqual(undisturbed.end)
  }
})

/** The first and the last write of a phase, and others between them. */
function chosenOf(writes: readonly number[]): readonly number[] {
  const count = Math.min(writes.length, Math.max(2, Math.ceil(wanted / phases.length)))
  const last = writes.length - 1
  return [...new Set(Array.from({ length: count }, (_, index) => writes[Math.round((index * last) / Math.max(1, count - 1))] ?? 1))]
}
