// Two complete runtimes and a real server: what a user does on one device appears on the other.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { pathFieldStrings } from '../packages/runtime/test/support/test-path-fields.ts'
import { waitFor } from '../packages/server/test/support/test-wait.ts'
import {
  type CloudDevice,
  type CloudDeviceOptions,
  canariesIn,
  foldersOf,
  openCloudDevice,
  resultsOf,
  type TestUser,
} from './cloud-device.ts'
import { type CloudServer, newUser, startCloudServer } from './cloud-server.ts'
import { openNetworkProxy } from './network-proxy.ts'
import { dumpRows } from './server-database.ts'

let server: CloudServer
const leaving: AsyncDisposable[] = []
const patience_ms = 40_000
const day = 86_400_000

beforeAll(async () => {
  server = await startCloudServer()
})
afterEach(async () => {
  for (const one of leaving.splice(0).reverse()) await one[Symbol.asyncDispose]()
})
afterAll(() => server[Symbol.asyncDispose]())

function device(name: string, options?: CloudDeviceOptions): CloudDevice {
  const one = openCloudDevice(name, options)
  leaving.push(one)
  return one
}

async function two(urls: readonly [string, string], options: readonly CloudDeviceOptions[] = []): Promise<[CloudDevice, CloudDevice]> {
  const person = newUser()
  const devices: [CloudDevice, CloudDevice] = [device('desk', options[0]), device('sofa', options[1])]
  await devices[0].signIn(urls[0], person, 'new')
  await devices[1].signIn(urls[1], person, 'known')
  return devices
}

const textOf = async ({ call }: CloudDevice) => (await call('sync_status', {})).status.text

test('a run on one device appears card by card on the other, live, and is not continued there', async () => {
  const [desk, sofa] = await two([server.url, server.url])
  const run_id = await desk.sendMessage('write "from the desk" to note.txt')
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'paused', patience_ms)
  expect(await sofa.refused('resume_agent_run', { run_id })).toBe('run_elsewhere')
  expect(await sofa.refused('agent_run_cancel', { run_id })).toBe('run_elsewhere')
  expect((await sofa.call('approval_list', { run_id })).items).toEqual([])
  // One run at a time: a message from here is refused with the name of the device that has the run.
  const { conversation_id = '' } = sofa.runtime.journal.run(run_id) ?? {}
  const { device_id } = await desk.call('runtime_status', {})
  await sofa.call('device_rename', { device_id, name: 'Kitchen' })
  const meanwhile = { conversation_id, text: 'list the files', workspace: sofa.workspace }
  expect(await sofa.runtime.commands.call('agent_run_start', meanwhile)).toMatchObject({
    ok: false,
    error: {
      code: 'run_elsewhere',
      message: `run ${run_id} of this conversation is paused on the device "Kitchen": stop it there, or start a new conversation here`,
    },
  })
  expect(await desk.approveAll(run_id)).toEqual(['fs.write'])
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  const steps = ({ runtime }: CloudDevice) => runtime.journal.steps(run_id).map(({ step }) => step)
  expect(sofa.steps).toEqual(steps(sofa))
  const said = ({ kind }: { kind: string }) => kind !== 'approval.requested'
  expect(steps(sofa).filter(said)).toEqual(steps(desk).filter(said))
  const { items } = await sofa.call('conversation_list', {})
  expect(items.map(({ title, workspace }) => [title, workspace])).toEqual([['write "from the desk" to note.txt', '']])
  const messages = async ({ call }: CloudDevice) =>
    (await call('message_list', { conversation_id: items[0]?.conversation_id ?? '' })).items.map(({ text }) => text)
  expect(await messages(sofa)).toEqual(await messages(desk))
  const arrived = sofa.runtime.events.list({ limit: 1_000 }).filter(({ event }) => event === 'sync_changes_arrived')
  expect(arrived.length).toBeGreaterThan(0)
  expect(JSON.stringify(arrived)).toContain(run_id)
  expect(readFileSync(join(desk.workspace, 'note.txt'), 'utf8')).toBe('from the desk')
  // After the run has ended, the conversation can continue here.
  const { run } = await sofa.call('agent_run_start', meanwhile)
  await sofa.runtime.settled(run.run_id)
  await waitFor(() => desk.runtime.journal.run(run.run_id)?.state === 'completed', patience_ms)
  await waitFor(async () => (await textOf(sofa)) === 'up to date', patience_ms)
  expect([desk.logged, sofa.logged]).toEqual([[], []])
})

test('a network outage during a run: nothing is lost and nothing is duplicated', async () => {
  await using wire = await openNetworkProxy(server.url)
  const [desk, sofa] = await two([wire.url, server.url])
  const { agent } = await desk.call('agent_create', { name: 'Shared' })
  const { agent_id } = agent
  const nameAt = async ({ call }: CloudDevice) =>
    (await call('agent_list', { limit: 200 })).items.find((one) => one.agent_id === agent_id)?.agent.name
  await waitFor(async () => (await nameAt(sofa)) === 'Shared', patience_ms)
  const run_id = await desk.sendMessage('write "before the cut" to cut.txt')
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'paused', patience_ms)
  wire.cut()
  await desk.call('agent_update', { agent_id, name: 'Earlier, offline' })
  await waitFor(async () => (await desk.call('sync_status', {})).status.state === 'offline', patience_ms)
  expect(await textOf(desk)).toMatch(/^offline since .*, \d+ changes? waiting$/)
  expect(await desk.refused('device_list', {})).toBe('cloud_unreachable')
  await sofa.call('agent_update', { agent_id, name: 'Later, online' })
  await waitFor(async () => (await sofa.call('sync_status', {})).status.pending_changes === 0, patience_ms)
  wire.restore()
  // It retries without being asked, and the run appears.
  await waitFor(async () => (await textOf(desk)) === 'up to date', patience_ms)
  // The model uses the same connection: the run continues when it is restored.
  expect(await desk.approveAll(run_id)).toEqual(['fs.write'])
  await waitFor(() => sofa.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  expect([await nameAt(desk), await nameAt(sofa)]).toEqual(['Later, online', 'Later, online'])
  const seqs = sofa.steps.filter((step) => step.run_id === run_id).map(({ seq }) => seq)
  expect(seqs).toEqual(seqs.map((_, index) => index))
  await waitFor(async () => (await textOf(desk)) === 'up to date', patience_ms)
})

test('a clock three days ahead and one three days behind: the later edit wins, and nothing is refused', async () => {
  const [ahead, behind] = await two([server.url, server.url], [{ ahead_ms: 3 * day }, { ahead_ms: -3 * day }])
  const { agent } = await ahead.call('agent_create', { name: 'by the fast clock' })
  const { agent_id } = agent
  const named = (device: CloudDevice, name: string) => async () =>
    (await device.call('agent_list', { limit: 200 })).items.some((one) => one.agent_id === agent_id && one.agent.name === name)
  await waitFor(named(behind, 'by the fast clock'), patience_ms)
  await behind.call('agent_update', { agent_id, name: 'by the slow clock' })
  await waitFor(named(ahead, 'by the slow clock'), patience_ms)
  await ahead.call('agent_update', { agent_id, name: 'by the fast clock again' })
  await waitFor(named(behind, 'by the fast clock again'), patience_ms)
  const run_id = await ahead.sendMessage('list the files')
  await waitFor(() => behind.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  for (const { call } of [ahead, behind]) expect((await call('sync_list_quarantine', {})).items).toEqual([])
})

test('an expired token is renewed automatically; an ended session is reported, and the data stays', {
  timeout: 120_000,
}, async () => {
  const [desk, sofa] = await two([server.url, server.url])
  await desk.call('agent_create', { name: 'before' })
  await desk.call('sync_now', {})
  await desk.restart(() => {
    const file = join(desk.home, 'account.json')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...kept, access_token: 'expired.long.ago', expires_at: 0 }), { mode: 0o600 })
  })
  await desk.call('agent_create', { name: 'after' })
  expect((await desk.call('sync_now', {})).status.text).toBe('up to date')
  await waitFor(async () => (await sofa.call('agent_list', { limit: 200 })).items.some(({ agent }) => agent.name === 'after'), patience_ms)
  // The other device removes this one, which ends its sessions.
  const { items } = await sofa.call('device_list', {})
  const other = items.find(({ this_device }) => !this_device)
  await sofa.call('device_remove', { device_id: other?.device_id ?? '' })
  await waitFor(async () => {
    await desk.call('sync_now', {}).catch(() => undefined)
    return (await desk.call('account_show', {})).account?.ended !== null
  }, patience_ms)
  expect(await textOf(desk)).toMatch(/^not signed in: .*sign in again/)
  expect(await desk.refused('sync_now', {})).toBe('signed_out')
  expect((await desk.call('agent_list', { limit: 200 })).items.map(({ agent }) => agent.name)).toContain('after')
})

test('signing out keeps the local data or wipes all of it; unsent changes are not lost by mistake', {
  timeout: 120_000,
}, async () => {
  await using wire = await openNetworkProxy(server.url)
  const person = newUser()
  const desk = device('desk')
  const canary = `canary${randomBytes(12).toString('hex')}`
  await desk.signIn(wire.url, person, 'new')
  expect(statSync(join(desk.home, 'account.json')).mode & 0o777).toBe(0o600)
  const run_id = await desk.sendMessage(`write "${canary}" to kept.txt`)
  await desk.approveAll(run_id)
  const { source } = await desk.call('kb_add', { text: `The ${canary} is in the knowledge base.`, owner: { kind: 'everyone' } })
  await waitFor(async () => (await desk.call('kb_get', { source_id: source.source_id })).source.state === 'ready', patience_ms)
  expect(filesWith(desk.home, canary)).toEqual(expect.arrayContaining([expect.stringContaining('kb.db')]))
  await desk.call('sync_now', {})
  const keep = { local_data: 'keep', unsent: 'keep', scope: 'session' } as const
  expect(await desk.call('account_sign_out', keep)).toEqual({ local_data: 'kept' })
  expect((await desk.call('account_show', {})).account).toBe(null)
  expect((await desk.call('agent_run_get', { run_id })).run.state).toBe('completed')
  expect(await desk.refused('account_sign_in', { cloud_url: wire.url, ...newUser(), account: 'new' })).toBe('other_account')
  await desk.signIn(wire.url, person, 'known')
  await desk.call('sync_now', {})
  wire.cut()
  await desk.call('agent_create', { name: 'never sent' })
  const wipe = { ...keep, local_data: 'wipe' } as const
  expect(await desk.refused('account_sign_out', wipe)).toBe('unsent_changes')
  expect(await desk.call('account_sign_out', { ...wipe, unsent: 'discard' })).toEqual({ local_data: 'wiped' })
  expect((await desk.call('agent_run_list', {})).items).toEqual([])
  expect(await desk.call('account_show', {})).toEqual({ account: null, data_of: null })
  await desk.restart(() => expect(filesWith(desk.home, canary)).toEqual([]))
  expect(readFileSync(join(desk.workspace, 'kept.txt'), 'utf8')).toBe(canary)
  wire.restore()
  await desk.signIn(wire.url, person, 'known')
  // The account has its copy.
  await waitFor(() => desk.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  // The device keeps working, even without a restart.
  await desk.call('account_sign_out', { ...wipe, unsent: 'discard' })
  await desk.signIn(wire.url, person, 'known')
  const again = await desk.sendMessage('write "after the wipe" to again.txt')
  expect(await desk.approveAll(again)).toEqual(['fs.write'])
  const [checkpoint] = (await desk.call('agent_run_list_checkpoints', { run_id: again })).items
  const restore = { run_id: again, checkpoint_id: checkpoint?.checkpoint_id ?? '', action: 'restore', on_conflict: 'stop' } as const
  await desk.call('agent_run_restore_checkpoint', restore)
  expect(readdirSync(desk.workspace)).not.toContain('again.txt')
})

test('the server stores no key and no token, and no folder of a device in any field except texts and outputs', {
  timeout: 120_000,
}, async () => {
  const secret = `sk-${randomBytes(20).toString('hex')}`
  const [desk, sofa] = await two([server.url, server.url], [{ environment: { SECRET_OF_THE_SHELL: secret } }])
  await desk.call('runtime_set_settings', { search_provider: 'brave', search_key: secret })
  await desk.call('mcp_server_add', {
    server: {
      server_id: 'tools',
      name: 'Tools',
      enabled: true,
      auto_reconnect: true,
      default_approval_mode: 'required',
      transport: 'stdio',
      command: 'tools-server',
      args: [],
      env_names: ['TOOLS_KEY'],
      working_directory: null,
    },
    consent: null,
  })
  await desk.call('mcp_server_set_secret', { server_id: 'tools', kind: 'env', name: 'TOOLS_KEY', value: secret })
  const run_id = await desk.sendMessage('write "nothing secret" to open.txt')
  await desk.approveAll(run_id)
  const shell = await desk.sendMessage('run `ls`')
  await desk.approveAll(shell)
  // Too long for a record: the complete output is in a file of the run.
  const long = await desk.sendMessage('run `seq 1 200000`')
  expect(await desk.approveAll(long)).toEqual(['shell.exec'])
  // Still too long once it is escaped: the complete output is uploaded as a file.
  const longer = await desk.sendMessage('run `head -c 300000 /dev/zero | tr "\\\\0" "\\\\1"`')
  expect(await desk.approveAll(longer)).toEqual(['shell.exec'])
  // "Always" is remembered for a folder of this device, and stays on it.
  const always = await desk.sendMessage('write "again" to always.txt')
  const [asked] = (await desk.call('approval_list', { run_id: always })).items
  if (!asked) throw new Error('nothing was asked')
  const { approval_id, fingerprint } = asked.approval
  await desk.call('agent_run_resume', { run_id: always, answer: { kind: 'approval', approval_id, fingerprint, answer: 'always' } })
  await desk.runtime.settled(always)
  expect(await desk.approveAll(await desk.sendMessage('write "unasked" to unasked.txt'))).toEqual([])
  // A failure names its subject.
  await desk.sendMessage('read nowhere.txt')
  const gone = await desk.sendMessage(`read ${join(desk.workspace, 'gone.txt')}`)
  await desk.call('sync_now', {})
  for (const run of [long, longer]) await waitFor(() => sofa.runtime.journal.run(run)?.state === 'completed', patience_ms)
  // An output is synchronized unchanged, even if it names a file of the run.
  expect(resultsOf(sofa, long)).toEqual(resultsOf(desk, long))
  expect(resultsOf(sofa, long)).toMatchObject([{ output: { truncated: true, file: expect.stringContaining(long) } }])
  const [{ output_file_id = '' } = {}] = resultsOf(sofa, longer)
  const whole = join(sofa.home, 'outputs', `${output_file_id}.txt`)
  await waitFor(() => existsSync(whole), patience_ms)
  expect(readFileSync(whole, 'utf8')).toBe(readFileSync(join(desk.home, 'outputs', `${output_file_id}.txt`), 'utf8'))
  const rows = await dumpRows(server.database)
  const stored = `${rows}\n${readFileSync(whole, 'utf8')}`
  expect(stored).toContain('open.txt')
  const { access_token, refresh_token } = JSON.parse(readFileSync(join(desk.home, 'account.json'), 'utf8'))
  expect(canariesIn(stored, { secret, access_token, refresh_token })).toEqual([])
  const fields = rows.split('\n').flatMap((row) => pathFieldStrings(JSON.parse(row)))
  expect(canariesIn(fields.join('\n'), await foldersOf(desk))).toEqual([])
  expect(fields).toEqual(expect.arrayContaining(['$WORKSPACE', '$WORKSPACE/gone.txt']))
  // The other device shows where the call failed without knowing the folder.
  await waitFor(() => sofa.runtime.journal.run(gone)?.state === 'completed', patience_ms)
  expect(resultsOf(sofa, gone).map(({ failure_contract }) => failure_contract?.details.subject)).toEqual(['workspace/gone.txt'])
  expect(resultsOf(desk, gone).map(({ failure_contract }) => failure_contract?.details.subject)).toEqual([join(desk.workspace, 'gone.txt')])
  // The definition is here, but it did not start anything.
  const servers = (await sofa.call('mcp_server_list', {})).items
  expect(servers.map(({ preview, status }) => [preview.server.server_id, status.state])).toEqual([['tools', 'created']])
})

test('a task sent to the other device runs there after approval, asks there before each change, and reports its result', {
  timeout: 120_000,
}, async () => {
  const [desk, sofa] = await two([server.url, server.url])
  const { device_id } = await sofa.call('runtime_status', {})
  const task = { title: 'write "by a task" to task.txt', device_id }
  const { task: sent } = await desk.call('task_create', { ...task, key: 'once' })
  expect((await desk.call('task_create', { ...task, key: 'once' })).task.task_id).toBe(sent.task_id)
  const onSofa = async () => (await sofa.call('task_list', {})).items.map(({ title, stage }) => [title, stage])
  await waitFor(async () => (await onSofa()).length > 0, patience_ms)
  expect(await onSofa()).toEqual([[task.title, 'offered']])
  expect(await desk.refused('task_accept', { task_id: sent.task_id })).toBe('not_found')
  const { task: taken } = await sofa.call('task_accept', { task_id: sent.task_id })
  const run_id = taken.run_id ?? ''
  expect(await sofa.approveAll(run_id)).toEqual(['fs.write'])
  const atDesk = async () => (await desk.call('task_list', { where: 'cloud' })).items.map(({ task_id, status }) => [task_id, status])
  await waitFor(async () => (await atDesk())[0]?.[1] === 'completed', patience_ms)
  expect(readFileSync(join(sofa.workspace, 'task.txt'), 'utf8')).toBe('by a task')
  await waitFor(() => desk.runtime.journal.run(run_id)?.state === 'completed', patience_ms)
  // The text of the task has its own author, not the user of either device.
  for (const device of [desk, sofa]) {
    const { conversation_id = '' } = device.runtime.journal.run(run_id) ?? {}
    const { items } = await device.call('message_list', { conversation_id })
    expect(items.map(({ role, author }) => [role, author]).slice(0, 1)).toEqual([['user', 'task']])
  }
  // It starts automatically only if the user allows that, and then it still asks.
  await sofa.call('task_set_mode', { mode: 'run' })
  await desk.call('task_create', { title: 'write "by itself" to itself.txt', device_id })
  await waitFor(async () => (await sofa.call('approval_list', {})).items.length === 1, patience_ms)
  const [own] = (await sofa.call('task_list', { status: 'running' })).items
  expect(await sofa.approveAll(own?.run_id ?? '')).toEqual(['fs.write'])
  await waitFor(async () => (await atDesk())[0]?.[1] === 'completed', patience_ms)
})

test('a runtime killed with -9 during synchronization restarts with all its data, without duplicates', async () => {
  const person = newUser()
  const watcher = device('watcher')
  await watcher.signIn(server.url, person, 'new')
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-child-')))
  leaving.push({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
  let made = -1
  for (const enough of [12, 30]) made = await killedAfter(enough, folder, server.url, person)
  const back = device('child', { folder })
  await back.call('sync_now', {})
  const names = async ({ call }: CloudDevice) =>
    (await call('agent_list', { limit: 200 })).items
      .map(({ agent }) => agent.name)
      .filter((name) => name.startsWith('made by the child'))
      .toSorted()
  await waitFor(async () => (await names(watcher)).length === (await names(back)).length, patience_ms)
  const all = await names(back)
  expect(await names(watcher)).toEqual(all)
  expect(all).toEqual([...new Set(all)])
  expect(all.length).toBeGreaterThan(made)
  expect(await textOf(back)).toBe('up to date')
})

/** Resolves to the number of the last agent it created. */
async function killedAfter(enough: number, folder: string, url: string, { email, password }: TestUser): Promise<number> {
  const child = spawn(process.execPath, [
    fileURLToPath(new URL('./cloud-device-process.ts', import.meta.url)),
    folder,
    url,
    email,
    password,
  ])
  let said = ''
  let complaint = ''
  child.stdout.on('data', (piece: Buffer) => {
    said += piece
  })
  child.stderr.on('data', (piece: Buffer) => {
    complaint += piece
  })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const last = () => Number(said.trimEnd().split('\n').at(-1) || -1)
  try {
    await waitFor(() => last() >= enough || child.exitCode !== null, 80_000)
    if (child.exitCode !== null) throw new Error(complaint)
  } finally {
    child.kill('SIGKILL')
    await ended
  }
  return last()
}

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path).includes(text)
  })
}
