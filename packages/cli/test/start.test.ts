// `tandem start` holds the folder, and every other command shares its runtime.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestModel, testModel } from './test-model.ts'

const bin = fileURLToPath(new URL('../bin/tandem.js', import.meta.url))
const timeout = 120_000

let model: TestModel
let folder: string
let environment: NodeJS.ProcessEnv
let started: ChildProcess
let said = ''

beforeAll(async () => {
  model = await testModel()
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-start-')))
  mkdirSync(join(folder, 'workspace'))
  const { PATH, HOME, USER } = process.env
  environment = {
    PATH,
    HOME,
    USER,
    TANDEM_HOME: join(folder, 'home'),
    // The runtime is what is tried here: a backend that can't start leaves it alone.
    ENV: 'production',
    TANDEM_MODEL_URL: model.url,
    TANDEM_MODEL: 'test/scripted',
  }
  started = spawn(process.execPath, [bin, 'start'], { cwd: join(folder, 'workspace'), env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  await new Promise<void>((resolve, reject) => {
    for (const stream of [started.stdout, started.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Ctrl-C ends it.')) resolve()
      })
    }
    // Once it stands, its end is no surprise.
    started.on('close', () => reject(new Error(said)))
  })
}, timeout)

afterAll(async () => {
  started.kill('SIGKILL')
  await model.stop()
  rmSync(folder, { recursive: true })
})

function tandem(...args: string[]): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: join(folder, 'workspace'),
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, stdout, stderr })))
}

test('a run of another process goes on in the runtime that was started, with its approval', { timeout }, async () => {
  model.script({ call: 'fs.write', arguments: { path: 'a.txt', content: 'written' }, text: 'I write. ' }, { text: 'Done.', pieces: 4 })
  expect(await tandem('run', 'write it')).toMatchObject({ status: 3, stdout: 'I write. \n' })
  expect(await tandem('resume', 'last', '--answer', 'once')).toEqual({ status: 0, stdout: 'Done.\n', stderr: '✓ fs.write\n' })
  expect(existsSync(join(folder, 'workspace', 'a.txt'))).toBe(true)
  model.script({ call: 'fs.write', arguments: { path: 'b.txt', content: 'written' } }, { text: 'Again.' })
  expect(await tandem('run', '--yes', 'once more')).toMatchObject({ status: 0, stdout: 'Again.\n' })
})

test('the address carries a one-time code, which opens the channel once', { timeout }, async () => {
  const [, url = '', code = ''] = /open at\s+(http:\/\/127\.0\.0\.1:\d+\/)#code=([\w-]{43})/.exec(said) ?? []
  const redeem = () =>
    fetch(`${url}session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url.slice(0, -1) },
      body: JSON.stringify({ code }),
    })
  expect([(await redeem()).status, (await redeem()).status]).toEqual([204, 401])
})

test('a second one opens another window of the first, and an end in good order takes the file along', { timeout }, async () => {
  const second = await tandem('start')
  expect(second).toMatchObject({ status: 0, stderr: '' })
  const [, url = '', code = ''] = /already running.*(http:\/\/127\.0\.0\.1:\d+\/)#code=([\w-]{43})\n/.exec(second.stdout) ?? []
  expect(said).toContain(`open at   ${url}#code=`)
  const headers = { 'content-type': 'application/json', origin: url.slice(0, -1) }
  expect((await fetch(`${url}session`, { method: 'POST', headers, body: JSON.stringify({ code }) })).status).toBe(204)
  expect(await tandem('start', '--fast')).toMatchObject({ status: 2, stderr: expect.stringContaining('not "--fast"') })
  const closed = new Promise<number | null>((resolve) => started.once('exit', (status) => resolve(status)))
  started.kill('SIGINT')
  expect(await closed).toBe(0)
  expect(existsSync(join(folder, 'home', 'runtime.json'))).toBe(false)
})
