import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { alone } from './lock.js'
import { root } from './paths.js'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['a dead process', 2 ** 22 + 1],
  ['a process that had our own number', process.pid],
  ['nobody', ''],
])('a lock left by %s is taken over', async (_whose, pid) => {
  const file = join(folder, 'lock')
  writeFileSync(file, String(pid))
  let ran = false
  await alone(() => {
    ran = true
  }, file)
  expect([ran, existsSync(file)]).toEqual([true, false])
})

test('of several processes at once, one works at a time', async () => {
  const file = join(folder, 'lock')
  const log = join(folder, 'log')
  writeFileSync(file, String(2 ** 22 + 1))
  writeFileSync(log, '')
  const script = `
    import { appendFileSync } from 'node:fs'
    import { alone } from ${JSON.stringify(join(root, 'scripts/setup/lock.js'))}
    await alone(() => {
      appendFileSync(${JSON.stringify(log)}, 'in ')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
      appendFileSync(${JSON.stringify(log)}, 'out ')
    }, ${JSON.stringify(file)})`
  const children = Array.from({ length: 5 }, () => spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' }))
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]))
  expect(codes).toEqual([0, 0, 0, 0, 0])
  expect(readFileSync(log, 'utf8')).toBe('in out '.repeat(5))
})
