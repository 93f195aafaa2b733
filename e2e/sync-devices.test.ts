// Two devices and a real server: what a user does on one device appears on the other.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { agentNamed } from '../packages/runtime/test/support/sync/test-device.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'
import { openNetworkProxy } from './network-proxy.ts'
import { openSyncDevice, type SyncDevice } from './sync-device.ts'

let server: CloudServer
const leaving: AsyncDisposable[] = []

beforeAll(async () => {
  server = await startCloudServer()
})
afterEach(async () => {
  for (const one of leaving.splice(0).reverse()) await one[Symbol.asyncDispose]()
})
afterAll(() => server[Symbol.asyncDispose]())

const day = 86_400_000
const patience_ms = 40_000

// Sign-ins hash passwords, which takes long if many run at once.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

function device(name: string, options?: { ahead_ms?: number }): SyncDevice {
  const one = openSyncDevice(name, options)
  leaving.push(one)
  return one
}

async function signedIn(urls: readonly string[], options: readonly ({ ahead_ms?: number } | undefined)[] = []): Promise<SyncDevice[]> {
  const person = newUser()
  const devices: SyncDevice[] = []
  for (const [index, cloud_url] of urls.entries()) {
    const one = device(`d${index}`, options[index])
    const outcome = await one.account.signIn({ cloud_url, ...person, account: index === 0 ? 'new' : 'known' })
    if (!outcome.ok) throw new Error(`${outcome.code}: ${outcome.message}`)
    devices.push(one)
  }
  return devices
}

function startRun({ journal, store }: SyncDevice, text: string) {
  return store.transaction(() => {
    const conversation = journal.conversations.create({ agent_id: 'a', title: text.slice(0, 40), workspace: '/srv' })
    const message_id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', author: 'person', text })
    return journal.start({ conversation: conversation.no, agent_id: 'a', title: 'T', model: 'm', sandbox_mode: 'workspace', message_id })
  })
}

test('a run on one device appears step by step on the other, live and read-only', async () => {
  const [one, two] = await signedIn([server.url, server.url])
  if (!one || !two) throw new Error('no devices')
  await waitFor(() => one.sync.status().text === 'up to date' && two.sync.status().text === 'up to date', patience_ms)
  const run = startRun(one, 'hello')
  await waitFor(() => two.journal.run(run.run_id) !== undefined, patience_ms)
  const latencies: number[] = []
  for (let turn = 0; turn < 20; turn += 1) {
    const before = performance.now()
    const step = one.journal.append(run.run_id, { kind: 'model.called', model: 'm', turn })
    await waitFor(() => two.heard.some(({ step: { step_id } }) => step_id === step.step_id), patience_ms)
    latencies.push((two.heard.find(({ step: { step_id } }) => step_id === step.step_id)?.at ?? Number.NaN) - before)
  }
  one.journal.append(run.run_id, {
    kind: 'run.completed',
    usage: { input_tokens: 1, output_tokens: 1, cached_tokens: 0, estimated: false },
  })
  await waitFor(() => two.journal.run(run.run_id)?.state === 'completed', patience_ms)
  expect(two.journal.steps(run.run_id).map(({ step }) => step)).toEqual(one.journal.steps(run.run_id).map(({ step }) => step))
  expect(two.journal.run(run.run_id)?.device_id).toBe(one.store.device_id)
  const sorted = latencies.toSorted((left, right) => left - right)
  console.info(`step to visible elsewhere: median ${sorted[10]?.toFixed(0)} ms, worst ${sorted.at(-1)?.toFixed(0)} ms`)
  expect([one.logged, two.logged]).toEqual([[], []])
})

test('both devices write during a network outage, and afterwards both have both changes', async () => {
  await using wire = await openNetworkProxy(server.url)
  const [one, two] = await signedIn([wire.url, server.url])
  if (!one || !two) throw new Error('no devices')
  one.records.put('agents', 'shared', agentNamed('before'))
  await waitFor(() => two.records.get('agents', 'shared')?.payload.name === 'before', patience_ms)
  wire.cut()
  one.records.put('agents', 'mine', agentNamed('made offline'))
  one.records.put('agents', 'shared', agentNamed('earlier'))
  const run = startRun(one, 'written offline')
  await waitFor(() => one.sync.status().state === 'offline', patience_ms)
  expect(one.sync.status().text).toMatch(/^offline since .*, 4 changes waiting$/)
  two.records.put('agents', 'shared', agentNamed('later'))
  await waitFor(() => two.sync.status().pending_changes === 0, patience_ms)
  wire.restore()
  // It retries without being asked, and the run appears.
  await waitFor(() => two.journal.run(run.run_id) !== undefined && two.records.get('agents', 'mine') !== undefined, patience_ms)
  // Its changes arrive on the other device before it has pulled the other's.
  await waitFor(() => one.sync.status().text === 'up to date', patience_ms)
  const names = () => [one, two].map(({ records }) => records.get('agents', 'shared')?.payload.name)
  await waitFor(() => names().every((name) => name === 'later'), patience_ms).catch(() => undefined)
  expect(names()).toEqual(['later', 'later'])
})

test('a clock three days ahead or behind is neither an advantage nor a disadvantage', async () => {
  const [ahead, behind] = await signedIn([server.url, server.url], [{ ahead_ms: 3 * day }, { ahead_ms: -3 * day }])
  if (!ahead || !behind) throw new Error('no devices')
  ahead.records.put('agents', 'a', agentNamed('by the fast clock'))
  await waitFor(() => behind.records.get('agents', 'a')?.payload.name === 'by the fast clock', patience_ms)
  expect(Math.abs((behind.records.get('agents', 'a')?.updated_at ?? 0) - Date.now())).toBeLessThan(6 * 60_000)
  behind.records.put('agents', 'a', agentNamed('by the slow clock'))
  await waitFor(() => ahead.records.get('agents', 'a')?.payload.name === 'by the slow clock', patience_ms)
  ahead.records.put('agents', 'a', agentNamed('by the fast clock again'))
  await waitFor(() => behind.records.get('agents', 'a')?.payload.name === 'by the fast clock again', patience_ms)
  expect([ahead, behind].map(({ sync }) => sync.quarantine())).toEqual([[], []])
})

test('a text too long for its entity arrives completely, as a file', async () => {
  const [one, two] = await signedIn([server.url, server.url])
  if (!one || !two) throw new Error('no devices')
  const text = `${'long '.repeat(40_000)}end`
  const run = startRun(one, text)
  const texts = ({ journal }: SyncDevice) =>
    journal.messages.of(journal.run(run.run_id)?.conversation ?? 0, { limit: 10 }).map((message) => message.text)
  await waitFor(() => two.journal.run(run.run_id) !== undefined && texts(two)[0]?.length === text.length, patience_ms)
  expect(texts(two)).toEqual([text])
})

test('tokens are in a file only the owner can read; signing out keeps or wipes; another account is not mixed in', async () => {
  const [one] = await signedIn([server.url])
  const [stranger] = await signedIn([server.url])
  if (!one || !stranger) throw new Error('no devices')
  const file = join(one.home, 'account.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  one.records.put('agents', 'a', agentNamed('mine'))
  await one.sync.now()
  expect(await one.account.signOut({ local_data: 'keep', unsent: 'keep', scope: 'session' })).toEqual({
    ok: true,
    value: { local_data: 'kept' },
  })
  expect([existsSync(file), one.records.get('agents', 'a')?.payload.name]).toEqual([false, 'mine'])
  await waitFor(() => one.sync.status().state === 'signed_out', patience_ms)
  const other = { cloud_url: server.url, ...newUser(), account: 'new' } as const
  expect(await one.account.signIn(other)).toMatchObject({ ok: false, code: 'other_account' })
  one.records.put('agents', 'b', agentNamed('unsent'))
  expect(await one.account.signOut({ local_data: 'wipe', unsent: 'keep', scope: 'session' })).toMatchObject({
    ok: false,
    code: 'unsent_changes',
  })
  await one.account.signOut({ local_data: 'wipe', unsent: 'discard', scope: 'session' })
  expect([one.records.list('agents'), one.sync.status().pending_changes, one.sync.owner()]).toEqual([[], 0, null])
  expect(await one.account.signIn({ ...other, account: 'known' })).toMatchObject({ ok: true })
  one.records.put('agents', 'c', agentNamed('of the other account'))
  await waitFor(() => one.sync.status().text === 'up to date' && one.sync.owner() !== null, patience_ms)
})
