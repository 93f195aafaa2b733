// The cloud from a terminal: real processes, a real server, and a password that is in nobody's list of processes.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { emptyDatabase } from './server-database.ts'
import { endServers, startServerProcess } from './server-process.ts'

const tandem = fileURLToPath(new URL('../packages/cli/bin/tandem.js', import.meta.url))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cli-')))

afterEach(async () => {
  await endServers()
  rmSync(folder, { recursive: true, force: true })
})

interface Said {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

function on(device: string) {
  const workspace = join(folder, device)
  mkdirSync(workspace)
  return (args: readonly string[], input = ''): Promise<Said> => {
    const env = { PATH: process.env.PATH, HOME: folder, TANDEM_HOME: join(folder, `${device}-home`) }
    const child = spawn(process.execPath, [tandem, ...args], { cwd: workspace, env })
    let [out, error] = ['', '']
    child.stdout.on('data', (piece: Buffer) => {
      out += piece
    })
    child.stderr.on('data', (piece: Buffer) => {
      error += piece
    })
    child.stdin.end(input)
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, error })))
  }
}

test('from signing in to wiping', { timeout: 240_000 }, async () => {
  await using database = await emptyDatabase()
  await using server = await startServerProcess({ BAAS_URL: database.url, BAAS_KEY: database.password, LOG_LEVEL: 'warn' })
  const [desk, sofa] = [on('desk'), on('sofa')]
  const email = `${randomBytes(8).toString('hex')}@example.org`
  const password = 'four green lanterns'
  const login = ['login', server.url, '--email', email]

  expect(await desk([...login, password])).toMatchObject({ code: 2 })
  expect(await desk(login, `${password}\n`)).toMatchObject({ code: 1, error: expect.stringContaining('(sign_in_refused)') })
  expect(await desk([...login, '--new'], `${password}\n`)).toEqual({
    code: 0,
    out: `Signed in as ${email} at ${server.url}.\nSynchronization: up to date.\n`,
    error: '',
  })
  expect((await desk(['run', '--yes', 'write "by the desk" to desk.txt'])).code).toBe(0)
  // Signing in brings what there is.
  expect((await sofa(login, `${password}\n`)).code).toBe(0)
  expect((await sofa(['runs'])).out).toContain('write "by the desk" to desk.txt')

  expect(await desk(['tasks', 'send', 'write "by task" to task.txt'])).toMatchObject({ code: 0 })
  const [offer] = (await sofa(['tasks', '--json'])).out.trim().split('\n')
  const { task_id, stage } = JSON.parse(offer ?? '')
  expect(stage).toBe('offered')
  expect((await sofa(['tasks', 'accept', task_id, '--yes'])).code).toBe(0)
  expect((await desk(['tasks', '--all'])).out).toMatch(/completed/)

  expect((await sofa(['logout', '--wipe', '--yes'])).code).toBe(0)
  expect(await sofa(['sync'])).toEqual({
    code: 0,
    out: 'Synchronization: not signed in.\nSign in with tandem login; everything that needs no cloud works without.\n',
    error: '',
  })
})
