// The account from a terminal: its password, its API keys and its deletion, with real processes and a real server.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { parseJsonLines, startTandem } from '../packages/cli/test/support/test-tandem.ts'
import { newUser, startCloudServer } from './cloud-server.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cli-')))

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const workspace = join(folder, 'workspace')
const home = join(folder, 'home')

function tandem(args: readonly string[], input = '') {
  mkdirSync(workspace, { recursive: true })
  return startTandem(args, workspace, { PATH: process.env.PATH, HOME: folder, TANDEM_HOME: home }, input).ended
}

test('keys, password and deletion', { timeout: 420_000 }, async () => {
  await using server = await startCloudServer()
  const { email, password } = newUser()
  const next = `${password} and more`

  for (const args of [['account'], ['account', 'password'], ['account', 'delete', '--confirm', email]]) {
    expect(await tandem(args, `${password}\n`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'tandem: you are not signed in on this device. Sign in with tandem login.\n',
    })
  }
  expect(await tandem(['keys'])).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('tandem: you are not signed in on this device\n'),
  })
  expect((await tandem(['login', server.url, '--email', email, '--new'], `${password}\n`)).status).toBe(0)
  expect(await tandem(['account'])).toEqual({ status: 0, stdout: `${email} at ${server.url}\n`, stderr: '' })

  // Keys.
  expect((await tandem(['keys'])).stdout).toBe('There are no API keys. Create one with tandem keys create NAME --scope gateway.\n')
  for (const wrong of [
    ['create'],
    ['create', 'Editor'],
    ['create', 'Editor', '--scope', 'all'],
    ['revoke'],
    ['list', 'Editor'],
    ['mint'],
  ]) {
    expect(await tandem(['keys', ...wrong])).toMatchObject({ status: 2, stdout: '' })
  }
  const created = await tandem(['keys', 'create', 'Editor', '--scope', 'sync', '--scope', 'gateway'])
  expect(created).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^tandem_key_[A-Za-z0-9_-]{86}\n$/),
    stderr: 'Store this key now: it cannot be shown again. Revoke it with tandem keys revoke.\n',
  })
  const key = created.stdout.trim()
  const models = async (bearer: string) =>
    (await fetch(`${server.url}/api/v1/llm/models`, { headers: { authorization: `Bearer ${bearer}` } })).status
  expect(await models(key)).toBe(200)
  const [other] = parseJsonLines((await tandem(['keys', 'create', 'Other', '--scope', 'gateway', '--json'])).stdout)
  expect(other).toMatchObject({ api_key: { name: 'Other', scopes: ['gateway'] } })
  const listed = (await tandem(['keys', 'list'])).stdout.trim().split('\n')
  expect(listed).toEqual([
    expect.stringMatching(/^Other +….{4} +gateway +never used +[0-9a-f-]{36}$/),
    expect.stringMatching(`^Editor +…${key.slice(-4)} +gateway, sync +last used .* UTC +[0-9a-f-]{36}$`),
  ])
  expect(await tandem(['keys', 'revoke', 'Unknown'])).toMatchObject({ status: 1, stderr: expect.stringContaining('no key has the name') })
  expect(await tandem(['keys', 'revoke', 'Editor'])).toMatchObject({
    status: 0,
    stdout: `The key "Editor" (…${key.slice(-4)}) was revoked.\n`,
  })
  expect(await models(key)).toBe(401)

  // The password.
  expect(await tandem(['account', 'password', password])).toMatchObject({ status: 2 })
  expect(await tandem(['account', 'password'], `${password}\n`)).toMatchObject({ status: 2, stderr: expect.stringContaining('missing') })
  expect(await tandem(['account', 'password'], `${password}\nshort\n`)).toMatchObject({
    status: 2,
    stderr: 'tandem: the new password must have at least 10 characters. Nothing was changed.\n',
  })
  expect(await tandem(['account', 'password'], `not the one at all\n${next}\n`)).toMatchObject({
    status: 1,
    stderr: 'tandem: this is not the current password of the account\n        Enter the current password of the account and try again.\n',
  })
  expect(await tandem(['account', 'password'], `${password}\n${email}\n`)).toMatchObject({
    status: 1,
    stderr: 'tandem: the password is the same as the email address\n        Choose a longer password that you use nowhere else.\n',
  })
  expect(await tandem(['account', 'password'], `${password}\n${next}\n`)).toEqual({
    status: 0,
    stdout: 'The password was changed. All other devices are signed out, and all API keys are revoked.\n',
    stderr: '',
  })
  expect(await tandem(['keys'])).toMatchObject({ status: 0, stdout: expect.stringContaining('There are no API keys.') })
  expect(await models(String(other?.key))).toBe(401)

  // Deletion of the account.
  expect((await tandem(['agents', 'create', 'Kept'])).status).toBe(0)
  const deleting = ['account', 'delete']
  expect(await tandem(deleting, `${next}\n`)).toMatchObject({ status: 2, stderr: expect.stringContaining('--confirm EMAIL') })
  expect(await tandem([...deleting, '--yes'], `${next}\n`)).toMatchObject({ status: 2 })
  expect(await tandem([...deleting, '--confirm', 'other@example.org'], `${next}\n`)).toMatchObject({
    status: 2,
    stderr: `tandem: the address is not ${email}. Nothing was deleted.\n`,
  })
  expect(await tandem([...deleting, '--confirm', email])).toMatchObject({ status: 2, stderr: expect.stringContaining('no password') })
  expect(await tandem([...deleting, '--confirm', email, '--json'], `${password}\n`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('(wrong_password)'),
  })
  expect(await tandem([...deleting, '--confirm', email], `${next}\n`)).toEqual({
    status: 0,
    stdout: `The account ${email} was deleted. This device is signed out and keeps its data.\n`,
    stderr: '',
  })
  expect((await tandem(['agents'])).stdout).toContain('Kept')
  expect(await tandem(['login', server.url, '--email', email], `${next}\n`)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('tandem: no account has this email address and password\n'),
  })
  expect([password, key, String(other?.key)].flatMap((secret) => filesWith(home, secret))).toEqual([])
})

function filesWith(where: string, text: string): string[] {
  return readdirSync(where, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(where, name)
    return statSync(path).isFile() && readFileSync(path).includes(text)
  })
}
