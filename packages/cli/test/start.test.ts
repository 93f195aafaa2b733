// `tandem start` has the lease, and every other command uses its runtime.
import type { ChildProcess } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killAndWait } from './support/process-end.ts'
import { type TestModel, testModel } from './support/test-model.ts'
import { createTestFolder, startTandem } from './support/test-tandem.ts'

let model: TestModel
let folder: string
let environment: NodeJS.ProcessEnv
let started: ChildProcess
let said = ''

beforeAll(async () => {
  model = await testModel()
  folder = createTestFolder()
  const { PATH, HOME, USER } = process.env
  environment = {
    PATH,
    HOME,
    USER,
    TANDEM_HOME: join(folder, 'home'),
    // Only the runtime is tested here: a backend that cannot start does not affect it.
    ENV: 'production',
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.url,
    TANDEM_MODEL: 'test/scripted',
  }
  const resident = startTandem(['start'], join(folder, 'workspace'), environment)
  started = resident.child
  for (const stream of [started.stdout, started.stderr]) stream?.on('data', (text: string) => (said += text))
  await resident.said('Press Ctrl-C to stop Tandem.')
})

afterAll(async () => {
  await killAndWait(started)
  await model.stop()
  rmSync(folder, { recursive: true })
})

const tandem = (...args: string[]) => startTandem(args, join(folder, 'workspace'), environment).ended

test('a run of another process continues in the runtime that was started, with its approval', async () => {
  model.script({ call: 'fs.write', arguments: { path: 'a.txt', content: 'written' }, text: 'I write. ' }, { text: 'Done.', pieces: 4 })
  expect(await tandem('run', 'write it')).toMatchObject({ status: 3, stdout: 'I write. \n' })
  expect(await tandem('resume', 'last', '--answer', 'once')).toEqual({
    status: 0,
    stdout: 'Done.\n',
    stderr: '✓ fs.write Created a.txt +1 −0\n',
  })
  expect(existsSync(join(folder, 'workspace', 'a.txt'))).toBe(true)
  model.script({ call: 'fs.write', arguments: { path: 'b.txt', content: 'written' } }, { text: 'Again.' })
  expect(await tandem('run', '--yes', 'once more')).toMatchObject({ status: 0, stdout: 'Again.\n' })
})

test('starting it as root shows a warning', () => {
  expect(said.includes('tandem: warning: Tandem is running as root.')).toBe(process.getuid?.() === 0)
})

test('the address contains a one-time code, which opens the channel once', async () => {
  const [, url = '', code = ''] = /open at\s+(http:\/\/127\.0\.0\.1:\d+\/)#code=([\w-]{43})/.exec(said) ?? []
  const redeem = () =>
    fetch(`${url}session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url.slice(0, -1) },
      body: JSON.stringify({ code }),
    })
  expect([(await redeem()).status, (await redeem()).status]).toEqual([204, 401])
})

test('a second one opens another window of the first, and a clean shutdown deletes the file', async () => {
  const second = await tandem('start')
  expect(second).toMatchObject({ status: 0, stderr: '' })
  const [, url = '', code = ''] = /already running.*(http:\/\/127\.0\.0\.1:\d+\/)#code=([\w-]{43})\n/.exec(second.stdout) ?? []
  expect(said).toContain(`open at   ${url}#code=`)
  const headers = { 'content-type': 'application/json', origin: url.slice(0, -1) }
  expect((await fetch(`${url}session`, { method: 'POST', headers, body: JSON.stringify({ code }) })).status).toBe(204)
  expect(await tandem('start', '--fast')).toMatchObject({ status: 2, stderr: expect.stringContaining('unexpected argument "--fast"') })
  const closed = new Promise<number | null>((resolve) => started.once('exit', (status) => resolve(status)))
  started.kill('SIGINT')
  expect(await closed).toBe(0)
  expect(existsSync(join(folder, 'home', 'runtime.json'))).toBe(false)
})
