// A start that fails reports why in a few lines, without a stack trace, and leaves no process behind, in particular no PostgreSQL.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startServerProcess } from './server-process.ts'

const bin = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-failure-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const home = () => join(folder, 'home')
const data = () => join(folder, 'data')

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `before` is a program that starts Node. */
async function failed(command: 'start' | 'server', variables: NodeJS.ProcessEnv = {}, before: readonly string[] = []): Promise<Ended> {
  const { PATH, HOME, USER } = process.env
  const env = { PATH, HOME, USER, TANDEM_HOME: home(), BAAS_URL: `embedded:${data()}`, PORT: '0', ...variables }
  const [program = '', ...args] = [...before, process.execPath, bin, command, ...(command === 'start' ? ['--no-window'] : [])]
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    // It should fail: if it starts anyway, the test must end, too.
    if (text.includes('Press Ctrl-C to stop Tandem.') || text.startsWith('Tandem server at')) child.kill('SIGTERM')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** All running processes with this test's folder in their command line. */
function left(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        // It has just ended.
        return ''
      }
    })
    .filter((line) => line.includes(folder))
}

function expectFailure(ended: Ended, told: RegExp): void {
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(told) })
  expect(ended.stderr).not.toMatch(/^\s+at |node:internal|\.ts:\d+/m)
  expect(left()).toEqual([])
}

test('the window cannot be announced: the backend that was started ends too', async () => {
  mkdirSync(join(home(), 'runtime.json', 'in-the-way'), { recursive: true })
  expectFailure(await failed('start'), /^tandem: start failed: .*\n {8}Check that the folder exists/m)
  // It got far enough to create one.
  expect(readdirSync(data())).toContain('postgres')
})

test('the Tandem folder cannot be created', async () => {
  writeFileSync(join(folder, 'file'), '')
  expectFailure(await failed('start', { TANDEM_HOME: join(folder, 'file', 'home') }), /^tandem: start failed: ENOTDIR.*\n {8}Check that/)
})

test('the database of the Tandem folder is not a database', async () => {
  mkdirSync(home())
  writeFileSync(join(home(), 'tandem.db'), 'This is not a database, however long it may be. '.repeat(100))
  expectFailure(await failed('start'), /^tandem: start failed: file is not a database\n {8}The file tandem\.db/)
})

test('the disk is full', async () => {
  mkdirSync(home())
  const small = ['unshare', '-Urm', 'sh', '-c', 'mount -t tmpfs -o size=32k tmpfs "$0" && exec "$@"', home()]
  expectFailure(await failed('start', {}, small), /^tandem: start failed: .*\n {8}(?:The disk is full|Free some disk space).*\n$/)
})

test('the port of the backend is in use', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const PORT = String(address !== null && typeof address === 'object' ? address.port : 0)
  try {
    expectFailure(await failed('server', { PORT }), /^tandem: PORT: \d+ is in use by another program/m)
  } finally {
    taken.close()
  }
})

test('a setting of the backend is invalid', async () => {
  expectFailure(await failed('server', { PORT: '80a' }), /^tandem: PORT/)
})

test('the data folder is in use by another backend, which keeps running', async () => {
  await using server = await startServerProcess({ BAAS_URL: `embedded:${data()}` })
  const second = await failed('server')
  expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tandem: BAAS_URL/m) })
  expect(second.stderr).not.toMatch(/^\s+at /m)
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
})
