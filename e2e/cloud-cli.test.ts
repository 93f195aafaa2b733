// The cloud from a terminal: real processes, a real server, and a password that is in nobody's list of processes.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { agentNamed } from '../packages/runtime/src/sync/test-device.ts'
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

test('from signing in to wiping', { timeout: 420_000 }, async () => {
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

  expect((await desk(['sync', 'now'])).out).toMatch(/^Synchronization: up to date\.\nLast heard from the cloud: /)
  expect((await desk(['sync', 'quarantine'])).out).toBe('Nothing is in quarantine: the cloud took every change.\n')
  setAside('desk', ['Odd', 'Given up'])
  const listed = (await desk(['sync', 'quarantine', '--json'])).out.trim().split('\n')
  const numbers = listed.map((line) => String(JSON.parse(line).no))
  expect((await desk(['sync', 'quarantine'])).out).toContain('an older cloud would not have it')
  expect((await desk(['sync', 'now'])).out).toContain('2 changes in quarantine')
  expect(await desk(['sync', 'quarantine', 'retry', '99'])).toMatchObject({ code: 1, error: expect.stringContaining('(not_found)') })
  expect((await desk(['sync', 'quarantine', 'retry', numbers[0] ?? ''])).out).toMatch(/^It is sent once more\. /)
  expect((await desk(['sync', 'quarantine', 'discard', numbers[1] ?? ''])).out).toMatch(/^It is given up: what the cloud has counts\. /)
  expect((await desk(['sync', 'now'])).out).toMatch(/^Synchronization: up to date\.\n/)
  expect(await sofa(['sync', 'now'])).toMatchObject({ code: 0 })
  const agents = (await sofa(['agents'])).out
  expect([agents.includes('Odd'), agents.includes('Given up')]).toEqual([true, false])

  expect((await sofa(['logout', '--wipe', '--yes'])).code).toBe(0)
  expect(await sofa(['sync'])).toEqual({
    code: 0,
    out: 'Synchronization: not signed in.\nSign in with tandem login; everything that needs no cloud works without.\n',
    error: '',
  })
})

/** As if the cloud had refused agents of these names: the one of this test takes all that a Tandem of its own age sends. */
function setAside(device: string, names: readonly string[]): void {
  const database = new DatabaseSync(join(folder, `${device}-home`, 'tandem.db'))
  const now = new Date()
  const [updated_at, source_ts] = [now.toISOString(), now.toISOString()]
  for (const [index, name] of names.entries()) {
    const entity_id = `aside-${index}`
    const change = { entity_type: 'agents', entity_id, op: 'upsert', version: 1, updated_at, source_ts, payload: agentNamed(name) }
    database
      .prepare('INSERT INTO sync_quarantine (entity_type, entity_id, code, message, change, quarantined_at) VALUES (?, ?, ?, ?, ?, ?)')
      .run('agents', entity_id, 'invalid', 'an older cloud would not have it', JSON.stringify(change), now.getTime())
  }
  database.close()
}
