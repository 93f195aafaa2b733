// Without an account Tandem works fully, and makes no requests.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloudCommandNames } from '@tandem/contract/command'
import { cloudCommands } from '@tandem/contract/command/cloud/schema'
import { Errors } from 'typebox/value'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRuntime, type Runtime } from '../src/runtime.ts'

let folder: string
let runtime: Runtime
let logged: string[]
const asked: string[] = []

function open(): Runtime {
  return openRuntime({
    home: join(folder, 'home'),
    workspace: join(folder, 'workspace'),
    environment: { PATH: process.env.PATH },
    log: (line) => logged.push(line),
  })
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-cloud-')))
  mkdirSync(join(folder, 'workspace'))
  logged = []
  asked.length = 0
  const real = fetch
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => {
    asked.push(String(request[0]))
    return real(...request)
  })
  vi.stubGlobal(
    'WebSocket',
    class {
      constructor(url: string) {
        asked.push(url)
      }
    },
  )
})
afterEach(async () => {
  await runtime.stop()
  vi.unstubAllGlobals()
  rmSync(folder, { recursive: true, force: true })
})

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const params: Partial<Record<(typeof cloudCommandNames)[number], object>> = {
  account_sign_in: { cloud_url: 'http://cloud.example.org', email: 'mara@example.org', password: 'four green lanterns', account: 'known' },
  account_sign_out: { local_data: 'keep', unsent: 'keep', scope: 'session' },
  account_change_password: { current_password: 'four green lanterns', new_password: 'seven slow rivers' },
  account_delete: { password: 'four green lanterns' },
  account_key_create: { name: 'Editor', scopes: ['gateway'] },
  account_key_revoke: { key_id: id },
  sync_retry_quarantined: { no: 1 },
  sync_discard_quarantined: { no: 1 },
  device_rename: { device_id: 'other', name: 'Other' },
  device_remove: { device_id: 'other' },
  task_create: { title: 'Sweep' },
  task_accept: { task_id: id },
  task_decline: { task_id: id },
  task_set_mode: { mode: 'run' },
  cloud_file_add: { path: '/nowhere' },
  cloud_file_save: { file_id: id, folder: '/tmp' },
  cloud_file_remove: { file_id: id },
}

test('every command of the cloud matches the contract, and none reaches the network', async () => {
  runtime = open()
  const answers: Record<string, string> = {}
  for (const name of cloudCommandNames) {
    const answer = await runtime.commands.callUntrusted(name, params[name] ?? {})
    answers[name] = answer.ok ? 'ok' : answer.error.code
    if (answer.ok) expect(Errors(cloudCommands[name].result, JSON.parse(JSON.stringify(answer.value)))).toEqual([])
  }
  expect(answers).toEqual({
    account_show: 'ok',
    // Unencrypted to another machine: refused before anything is sent.
    account_sign_in: 'invalid_params',
    account_sign_out: 'ok',
    account_change_password: 'signed_out',
    account_delete: 'signed_out',
    account_key_list: 'signed_out',
    account_key_create: 'signed_out',
    account_key_revoke: 'signed_out',
    sync_status: 'ok',
    sync_now: 'signed_out',
    sync_list_quarantine: 'ok',
    sync_retry_quarantined: 'not_found',
    sync_discard_quarantined: 'not_found',
    device_list: 'signed_out',
    device_rename: 'signed_out',
    device_remove: 'signed_out',
    task_list: 'ok',
    task_create: 'signed_out',
    task_accept: 'not_found',
    task_decline: 'not_found',
    task_get_mode: 'ok',
    task_set_mode: 'ok',
    cloud_file_list: 'signed_out',
    cloud_file_add: 'invalid_params',
    cloud_file_save: 'signed_out',
    cloud_file_remove: 'signed_out',
  })
  expect([asked, logged]).toEqual([[], []])
})

test('with a broken account file no one is signed in; it is reported without its content, and everything else works', async () => {
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'home', 'account.json'), '{"refresh_token": "very-secret')
  runtime = open()
  expect(await runtime.commands.call('account_show', {})).toEqual({ ok: true, value: { account: null, data_of: null } })
  expect((await runtime.commands.call('agent_create', { name: 'Works on' })).ok).toBe(true)
  expect(logged).toEqual([`${join(folder, 'home', 'account.json')} cannot be read: remove it and sign in again`])
  expect(asked).toEqual([])
})
