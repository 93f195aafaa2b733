// A start that is killed with -9 at any moment, from nothing to a running runtime, leaves a folder that can be opened.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { openRuntime } from '../src/runtime.ts'
import { openStore } from '../src/store/store.ts'
import { useBundledProgram } from './support/bundled-program.ts'

const child = useBundledProgram('test-start-child.ts')
const kills = 10
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-start-'))
  mkdirSync(join(folder, 'window'))
  mkdirSync(join(folder, 'workspace'))
  writeFileSync(join(folder, 'window', 'index.html'), '<!doctype html>')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Starts, and kills after this time; without a time, once it is open. Returns how long it took to open, if it did. */
function start(home: string, kill_ms: number | null): Promise<{ readonly open_ms: number | null; readonly errors: string }> {
  return new Promise((resolve) => {
    const started = spawn(process.execPath, [child.path, home, join(folder, 'workspace'), join(folder, 'window')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE: child.compiled },
    })
    let [began, said, errors] = [0, '', '']
    let open_ms: number | null = null
    started.stderr.on('data', (piece) => {
      errors += piece
    })
    started.stdout.on('data', (piece) => {
      said += piece
      if (began === 0) {
        began = performance.now()
        if (kill_ms !== null) setTimeout(() => started.kill('SIGKILL'), kill_ms)
      }
      if (said.includes('open')) {
        open_ms = performance.now() - began
        if (kill_ms === null) started.kill('SIGKILL')
      }
    })
    started.on('close', () => resolve({ open_ms, errors }))
  })
}

/** Opens what is left, works with it, and returns whose it is. */
async function opened(home: string): Promise<string> {
  const lines: string[] = []
  const runtime = openRuntime({ home, workspace: join(folder, 'workspace'), environment: {}, log: (line) => lines.push(line) })
  try {
    const made = await runtime.commands.call('agent_create', { name: 'Scribe' })
    expect([made.ok, lines]).toEqual([true, []])
  } finally {
    await runtime.stop()
  }
  const store = openStore({ home, clock: systemClock })
  store.close()
  return store.device_id
}

test('killed at any moment of its first start, a folder can be opened', async () => {
  const whole = await start(join(folder, 'whole'), null)
  expect(whole, whole.errors).toEqual({ open_ms: expect.any(Number), errors: '' })
  const device_id = await opened(join(folder, 'whole'))
  expect(await opened(join(folder, 'whole'))).toBe(device_id)
  for (let kill = 0; kill < kills; kill += 1) {
    const home = join(folder, String(kill))
    await start(home, ((whole.open_ms ?? 0) * kill) / (kills - 1))
    const left = existsSync(join(home, 'runtime.json')) ? readFileSync(join(home, 'runtime.json'), 'utf8') : null
    // What others read is complete or missing.
    if (left !== null) expect(JSON.parse(left)).toMatchObject({ pid: expect.any(Number), token: expect.any(String) })
    const named = await opened(home)
    expect(await opened(home), `struck after ${kill} of ${kills} parts`).toBe(named)
  }
})

test('killed repeatedly in one folder, it can be opened too', async () => {
  const home = join(folder, 'again')
  for (let kill = 0; kill < kills / 2; kill += 1) await start(home, kill * 7)
  const device_id = await opened(home)
  for (let kill = 0; kill < kills / 2; kill += 1) await start(home, kill * 7)
  expect(await opened(home)).toBe(device_id)
})
