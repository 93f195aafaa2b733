// The cloud from a terminal: real processes, a real server, and a password that never appears in a process list.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, test } from 'vitest'
import { startTandem } from '../packages/cli/test/support/test-tandem.ts'
import { agentNamed } from '../packages/runtime/test/support/sync/test-device.ts'
import { newUser, startCloudServer } from './cloud-server.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cli-')))

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function on(device: string) {
  const workspace = join(folder, device)
  mkdirSync(workspace)
  const env = { PATH: process.env.PATH, HOME: folder, TANDEM_HOME: join(folder, `${device}-home`) }
  return (args: readonly string[], input = '') => startTandem(args, workspace, env, input).ended
}

test('from sign-in to wipe', { timeout: 420_000 }, async () => {
  await using server = await startCloudServer()
  const [desk, sofa] = [on('desk'), on('sofa')]
  const { email, password } = newUser()
  const login = ['login', server.url, '--email', email]

  expect(await desk([...login, password])).toMatchObject({ status: 2 })
  expect(await desk([...login, '--json'], `${password}\n`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(sign_in_refused)'),
  })
  expect(await desk([...login, '--new'], `${password}\n`)).toEqual({
    status: 0,
    stdout: `Signed in as ${email} at ${server.url}.\nSynchronization: up to date.\n`,
    stderr: '',
  })
  expect((await desk(['run', '--yes', 'write "by the desk" to desk.txt'])).status).toBe(0)
  // Signing in downloads the existing data.
  expect((await sofa(login, `${password}\n`)).status).toBe(0)
  expect((await sofa(['runs'])).stdout).toContain('write "by the desk" to desk.txt')

  expect(await desk(['tasks', 'send', 'write "by task" to task.txt'])).toMatchObject({ status: 0 })
  const [offer] = (await sofa(['tasks', '--json'])).stdout.trim().split('\n')
  const { task_id, stage } = JSON.parse(offer ?? '')
  expect(stage).toBe('offered')
  expect((await sofa(['tasks', 'accept', task_id, '--yes'])).status).toBe(0)
  expect((await desk(['tasks', '--all'])).stdout).toMatch(/completed/)

  expect((await desk(['sync', 'now'])).stdout).toMatch(/^Synchronization: up to date\.\nLast received from the server: /)
  expect((await desk(['sync', 'quarantine'])).stdout).toBe('Nothing is in quarantine: the server accepted every change.\n')
  setAside('desk', ['Odd', 'Given up'])
  const listed = (await desk(['sync', 'quarantine', '--json'])).stdout.trim().split('\n')
  const numbers = listed.map((line) => String(JSON.parse(line).no))
  expect((await desk(['sync', 'quarantine'])).stdout).toContain('an older cloud would not have it')
  expect((await desk(['sync', 'now'])).stdout).toContain('2 changes in quarantine')
  expect(await desk(['sync', 'quarantine', 'retry', '99', '--json'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(not_found)'),
  })
  expect((await desk(['sync', 'quarantine', 'retry', numbers[0] ?? ''])).stdout).toMatch(/^The change will be sent again\. /)
  expect((await desk(['sync', 'quarantine', 'discard', numbers[1] ?? ''])).stdout).toMatch(
    /^The change was discarded: the version in your account is used\. /,
  )
  expect((await desk(['sync', 'now'])).stdout).toMatch(/^Synchronization: up to date\.\n/)
  expect(await sofa(['sync', 'now'])).toMatchObject({ status: 0 })
  const agents = (await sofa(['agents'])).stdout
  expect([agents.includes('Odd'), agents.includes('Given up')]).toEqual([true, false])

  expect((await sofa(['logout', '--wipe', '--yes'])).status).toBe(0)
  expect(await sofa(['sync'])).toEqual({
    status: 0,
    stdout:
      'Synchronization: not signed in.\nSign in with tandem login. Everything that does not need an account works without signing in.\n',
    stderr: '',
  })
})

/** Simulates that the cloud rejected agents with these names: the backend of this test accepts everything its own version sends. */
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
