import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.js'
import { root } from './paths.js'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test.each([
  ['a process that ended', `${2 ** 22 + 1}-100-a`],
  ['a process that ended and whose start is unknown', `${2 ** 22 + 1}--a`],
  ['an earlier process with our own number', `${process.pid}-1-a`],
  ['an earlier process with our own number, whose start is unknown', `${process.pid}--a`],
  ['an earlier process with the number of one that runs', `${process.ppid}-1-a`],
  ['something else', 'notes.txt'],
])('a lock left by %s is taken over', async (_whose, name) => {
  const lock = join(folder, 'lock')
  mkdirSync(lock)
  writeFileSync(join(lock, name), 'npm run start')
  const held = []
  await withLock(() => held.push(...readdirSync(lock)), 'npm run check', lock)
  expect([held.length, held.includes(name), existsSync(lock)]).toEqual([1, false, false])
})

test('an empty lock is free', async () => {
  const lock = join(folder, 'lock')
  mkdirSync(lock)
  let ran = false
  await withLock(
    () => {
      ran = true
    },
    'npm run check',
    lock,
  )
  expect([ran, readdirSync(folder)]).toEqual([true, []])
})

test('a killed process that its parent has not reaped holds nothing', async () => {
  // The shell becomes `sleep`, which does not reap children.
  const parent = spawn('sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [text] = await once(parent.stdout, 'data')
    const pid = Number(text)
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    const began = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[19]
    const lock = join(folder, 'lock')
    mkdirSync(lock)
    writeFileSync(join(lock, `${pid}-${began}-a`), 'npm run start')
    await withLock(() => undefined, 'npm run check', lock)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    parent.kill('SIGKILL')
  }
})

test('a failure releases the lock', async () => {
  const failing = withLock(
    () => {
      throw new Error('no disk')
    },
    'npm run check',
    join(folder, 'lock'),
  )
  await expect(failing).rejects.toThrow('no disk')
  expect(readdirSync(folder)).toEqual([])
})

test('of many processes at once one works at a time, even if every second one is killed while it works', async () => {
  const [lock, log] = [join(folder, 'lock'), join(folder, 'log')]
  writeFileSync(log, '')
  const script = `
    import { appendFileSync } from 'node:fs'
    import { withLock } from ${JSON.stringify(join(root, 'scripts/setup/lock.js'))}
    const [number] = process.argv.slice(1)
    await withLock(() => {
      appendFileSync(${JSON.stringify(log)}, number + ' in\\n')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      appendFileSync(${JSON.stringify(log)}, number + ' out\\n')
      if (number % 2 === 1) process.kill(process.pid, 'SIGKILL')
    }, 'npm run ' + number, ${JSON.stringify(lock)})`
  const numbers = Array.from({ length: 12 }, (_, number) => number)
  const ends = await Promise.all(
    numbers.map((number) =>
      once(spawn(process.execPath, ['--input-type=module', '-e', script, String(number)], { stdio: 'ignore' }), 'exit'),
    ),
  )
  expect(ends).toEqual(numbers.map((number) => (number % 2 === 1 ? [null, 'SIGKILL'] : [0, null])))
  const lines = readFileSync(log, 'utf8').trim().split('\n')
  const order = lines.filter((_, at) => at % 2 === 0).map((line) => Number.parseInt(line, 10))
  expect(lines).toEqual(order.flatMap((number) => [`${number} in`, `${number} out`]))
  expect(order.toSorted((a, b) => a - b)).toEqual(numbers)
})
