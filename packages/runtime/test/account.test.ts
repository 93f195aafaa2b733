// Password, deletion and API keys of an account, as commands of a whole runtime.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CommandName } from '@tandem/contract/command'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AccountCloud, accountSession, problem, startAccountCloud } from './support/test-account-cloud.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let cloud: AccountCloud
let here: TestAgent

const { email, id: user_id } = accountSession.user
const passwords = { current_password: 'four green lanterns', new_password: 'seven slow rivers' }
const request = { name: 'Editor', scopes: ['gateway'] }
const api_key = {
  ...{ id: '01890a5d-ac96-774b-bcce-b302099a8059', name: 'Editor', scopes: ['gateway'], ends_with: 'x7Qa' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', last_used_at: null },
}
const newKey = { key: `tandem_key_${'a'.repeat(82)}x7Qa`, api_key }

beforeEach(async () => {
  cloud = await startAccountCloud()
  here = await startTestAgent([])
  await here.call('account_sign_in', { cloud_url: cloud.url, email, password: 'x', account: 'known' })
})
afterEach(async () => {
  await here.stop()
  await cloud[Symbol.asyncDispose]()
})

const account = () => ({ cloud_url: cloud.url, user_id, email, ended: null })
const shown = async () => (await here.call('account_show', {})).account

/** The result of the command, without the remedy of its code. */
async function answered(name: CommandName, params: unknown) {
  const answer = await here.runtime.commands.callUntrusted(name, params)
  return answer.ok ? answer.value : [answer.error.code, answer.error.message]
}

test('changing the password keeps this device signed in', async () => {
  expect(await answered('account_change_password', passwords)).toEqual({ account: account() })
  expect(cloud.asked).toEqual([{ route: 'POST /api/v1/auth/password', body: passwords }])
  expect(await shown()).toEqual(account())
})

test('a deleted account signs this device out and keeps its data', async () => {
  const agent_id = await here.agent()
  expect(await answered('account_delete', { password: 'four green lanterns' })).toEqual({ local_data: 'kept' })
  expect(cloud.asked).toEqual([{ route: 'POST /api/v1/users/delete', body: { password: 'four green lanterns' } }])
  expect(await here.call('account_show', {})).toEqual({ account: null, data_of: user_id })
  expect(existsSync(join(here.folder, 'home', 'account.json'))).toBe(false)
  expect((await here.call('agent_list', {})).items.map((agent) => agent.agent_id)).toContain(agent_id)
  expect(await answered('account_key_list', {})).toEqual(['signed_out', 'you are not signed in on this device'])
})

test('keys are listed in pages, created and revoked', async () => {
  cloud.reply = { status: 200, body: { items: [api_key], next_cursor: null } }
  expect(await answered('account_key_list', { limit: 1, cursor: 'after' })).toEqual({ items: [api_key], next_cursor: null })
  cloud.reply = { status: 201, body: newKey }
  expect(await answered('account_key_create', request)).toEqual(newKey)
  cloud.reply = { status: 204 }
  expect(await answered('account_key_revoke', { key_id: api_key.id })).toEqual({ key_id: api_key.id })
  expect(cloud.asked).toEqual([
    { route: 'GET /api/v1/users/keys?limit=1&cursor=after', body: undefined },
    { route: 'POST /api/v1/users/keys', body: request },
    { route: `DELETE /api/v1/users/keys/${api_key.id}`, body: undefined },
  ])
})

test.each([
  [problem('wrong_password', 'the password is wrong'), ['wrong_password', 'the password is wrong']],
  [problem('weak_password', 'it is in every list'), ['weak_password', 'it is in every list']],
  [
    problem('rate_limited', 'too many failed; the next one is served in 42 s', { 'retry-after': '42' }),
    ['rate_limited', 'too many failed; the next one is served in 42 s'],
  ],
  [problem('rate_limited', 'too many failed', { 'retry-after': '42' }), ['rate_limited', 'too many failed; try again in 42 s']],
  [problem('rate_limited', 'too many failed'), ['rate_limited', 'too many failed']],
  [problem('limit_reached', 'an account has at most 50 API keys'), ['limit_reached', 'an account has at most 50 API keys']],
  [problem('not_found', 'there is no such key'), ['not_found', 'there is no such key']],
] as const)('a refusal of the cloud is returned with its code and message: %#', async (reply, expected) => {
  cloud.reply = reply
  const answers = [
    await answered('account_change_password', passwords),
    await answered('account_delete', { password: 'x' }),
    await answered('account_key_create', request),
    await answered('account_key_revoke', { key_id: api_key.id }),
    await answered('account_key_list', {}),
  ]
  expect(answers).toEqual(answers.map(() => expected))
  expect(await shown()).toEqual(account())
})

test.each([
  ['account_change_password', passwords, /the new one is valid\.$/],
  ['account_delete', { password: 'x' }, /this device is signed out and keeps its data\.$/],
  ['account_key_create', request, /revoke it and create another one\.$/],
] as const)('%s without a response reports what may have happened', async (name, params, note) => {
  cloud.reply = 'cut'
  expect(await answered(name, params)).toEqual(['cloud_unreachable', expect.stringMatching(note)])
  expect(await shown()).toEqual(account())
})

test('an account that another device deleted: the session has ended, and the commands report it', async () => {
  cloud.reply = problem('session_ended', 'the session has ended')
  expect(await answered('account_key_list', {})).toEqual(['signed_out', expect.stringContaining('the session has ended')])
  expect(await shown()).toEqual({ ...account(), ended: 'session_ended' })
  const before = cloud.asked.length
  const ended = ['signed_out', `the server ended the session of ${email}: session_ended`]
  expect(await answered('account_delete', { password: 'x' })).toEqual(ended)
  expect(await answered('account_change_password', passwords)).toEqual(ended)
  expect(await answered('account_key_create', request)).toEqual(ended)
  expect(cloud.asked.length).toBe(before)
})
