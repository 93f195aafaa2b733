// Two complete runtimes and a real server: a new password, and the deletion of an account.
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { type CloudDevice, openCloudDevice, type TestUser } from './cloud-device.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'
import { dumpRows } from './server-database.ts'

let server: CloudServer
const leaving: AsyncDisposable[] = []
const patience_ms = 40_000

beforeAll(async () => {
  server = await startCloudServer()
})
afterEach(async () => {
  for (const one of leaving.splice(0).reverse()) await one[Symbol.asyncDispose]()
})
afterAll(() => server[Symbol.asyncDispose]())

async function two(person: TestUser): Promise<[CloudDevice, CloudDevice]> {
  const devices: [CloudDevice, CloudDevice] = [openCloudDevice('desk'), openCloudDevice('sofa')]
  leaving.push(...devices)
  await devices[0].signIn(server.url, person, 'new')
  await devices[1].signIn(server.url, person, 'known')
  return devices
}

const agentsOf = async ({ call }: CloudDevice) => (await call('agent_list', { limit: 200 })).items.map(({ agent }) => agent.name)
const hasAgent = (device: CloudDevice, name: string) => async () => (await agentsOf(device)).includes(name)
const statusOf = async ({ call }: CloudDevice) => (await call('sync_status', {})).status
/** No request to the cloud is made for it: the device finds out on its own. */
const isEnded = (device: CloudDevice) => async () => ((await device.call('account_show', {})).account?.ended ?? null) !== null

/** The status codes that a program with this key gets from the gateway and from sync. */
async function answersTo(key: string): Promise<number[]> {
  const headers = { authorization: `Bearer ${key}` }
  const answers = [await fetch(`${server.url}/api/v1/llm/models`, { headers }), await fetch(`${server.url}/api/v1/sync/pull`, { headers })]
  return answers.map(({ status }) => status)
}

test('a new password revokes the keys and signs the other device out, which can sign in with it', async () => {
  const person = newUser()
  const [desk, sofa] = await two(person)
  const { key, api_key } = await desk.call('account_key_create', { name: 'Build server', scopes: ['gateway', 'sync'] })
  expect(await answersTo(key)).toEqual([200, 200])
  // Every device of the account lists the key, but not its secret.
  const { items } = await sofa.call('account_key_list', {})
  expect(items).toEqual([{ ...api_key, last_used_at: expect.any(String) }])
  await desk.call('agent_create', { name: 'Shared' })
  await waitFor(hasAgent(sofa, 'Shared'), patience_ms)

  const new_password = `${person.password}, renewed`
  const wrong = { current_password: 'four wrong lanterns', new_password }
  expect(await desk.refused('account_change_password', wrong)).toBe('wrong_password')
  const weak = { current_password: person.password, new_password: person.email }
  expect(await desk.refused('account_change_password', weak)).toBe('weak_password')
  expect(await answersTo(key)).toEqual([200, 200])
  await desk.call('account_change_password', { current_password: person.password, new_password })

  expect(await answersTo(key)).toEqual([401, 401])
  expect((await desk.call('account_key_list', {})).items).toEqual([])
  await waitFor(isEnded(sofa), patience_ms)
  expect((await statusOf(sofa)).text).toMatch(/^not signed in: .*sign in again/)
  await sofa.call('agent_create', { name: 'Made while signed out' })
  expect(await agentsOf(sofa)).toEqual(expect.arrayContaining(['Shared', 'Made while signed out']))
  // The device that changed it stays signed in.
  expect((await desk.call('sync_now', {})).status.text).toBe('up to date')

  expect(await sofa.refused('account_sign_in', { cloud_url: server.url, ...person, account: 'known' })).toBe('sign_in_refused')
  await sofa.signIn(server.url, { ...person, password: new_password }, 'known')
  await waitFor(hasAgent(desk, 'Made while signed out'), patience_ms)
  // Neither the password nor the key was logged.
  expect([...desk.logged, ...sofa.logged].filter((line) => line.includes(person.password) || line.includes(key))).toEqual([])
})

test('deleting an account signs both devices out; both keep their data and work without it', async () => {
  const person = newUser()
  const [desk, sofa] = await two(person)
  const canary = `canary${randomBytes(12).toString('hex')}`
  const { key } = await desk.call('account_key_create', { name: 'Build server', scopes: ['gateway', 'sync'] })
  const run_id = await desk.sendMessage(`write "${canary}" to kept.txt`)
  await desk.approveAll(run_id)
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  expect(await dumpRows(server.database)).toContain(canary)

  expect(await desk.refused('account_delete', { password: 'four wrong lanterns' })).toBe('wrong_password')
  expect(await desk.call('account_delete', { password: person.password })).toEqual({ local_data: 'kept' })

  expect((await desk.call('account_show', {})).account).toBe(null)
  await waitFor(isEnded(sofa), patience_ms)
  expect([await desk.refused('account_key_list', {}), await sofa.refused('account_key_list', {})]).toEqual(['signed_out', 'signed_out'])
  expect(await answersTo(key)).toEqual([401, 401])
  await waitFor(async () => !(await dumpRows(server.database)).includes(canary), patience_ms)

  for (const device of [desk, sofa]) {
    expect((await statusOf(device)).text).toMatch(/^not signed in/)
    await device.restart()
    expect(device.runtime.journal.run(run_id)?.state).toBe('completed')
    await device.call('agent_create', { name: 'After the end' })
    expect(await agentsOf(device)).toContain('After the end')
    const { conversation } = await device.call('conversation_create', { workspace: device.workspace })
    expect((await device.call('conversation_list', {})).items.map((one) => one.conversation_id)).toContain(conversation.conversation_id)
    expect(await device.refused('account_sign_in', { cloud_url: server.url, ...person, account: 'known' })).toBe('sign_in_refused')
  }
})
