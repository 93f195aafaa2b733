import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openRunTemps } from './run-temps.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-temps-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a run keeps its folder across restarts, and other users cannot read it', () => {
  const first = openRunTemps(join(folder, 'home'), folder, 'device').of('run')
  expect(openRunTemps(join(folder, 'home'), folder, 'device').of('run')).toBe(first)
  expect(statSync(first).mode & 0o777).toBe(0o700)
})

test('when a run ends, its outputs are moved to the home and the rest is removed', () => {
  const temps = openRunTemps(join(folder, 'home'), folder, 'device')
  mkdirSync(temps.outputs('run'))
  writeFileSync(join(temps.outputs('run'), 'call-stdout'), 'long')
  writeFileSync(join(temps.of('run'), 'scratch'), 'x')
  temps.end('run')
  expect(readFileSync(join(folder, 'home', 'outputs', 'call-stdout'), 'utf8')).toBe('long')
  expect(existsSync(join(folder, 'tandem-device', 'run'))).toBe(false)
})

test('a folder that other users can access is not used', () => {
  mkdirSync(join(folder, 'tandem-device'), { mode: 0o777 })
  rmSync(join(folder, 'tandem-device'), { recursive: true })
  mkdirSync(join(folder, 'tandem-device'))
  expect(openRunTemps(join(folder, 'home'), folder, 'device').of('run').startsWith(join(folder, 'tandem-device/'))).toBe(false)
})

test('folders of ended runs are removed at the next start, those of paused runs are kept', () => {
  const temps = openRunTemps(join(folder, 'home'), folder, 'device')
  for (const run of ['over', 'waiting']) temps.of(run)
  temps.sweep((run_id) => run_id === 'over')
  expect(['over', 'waiting'].map((run) => existsSync(join(folder, 'tandem-device', run)))).toEqual([false, true])
})

test('closing removes everything if no run is paused', () => {
  const temps = openRunTemps(join(folder, 'home'), folder, 'device')
  temps.of('run')
  temps.close()
  expect(existsSync(join(folder, 'tandem-device'))).toBe(true)
  temps.end('run')
  temps.close()
  expect(existsSync(join(folder, 'tandem-device'))).toBe(false)
})
