// A user with one of everything: an account, a device, an API key, a workflow, a task, a file, logs and synchronized entities.
import { randomBytes } from 'node:crypto'
import type { RouteId } from '@tandem/contract/http/schema'
import { routes } from '@tandem/contract/http/schema'
import { type ContractRequest, callRoute, type Reply } from './contract-client.ts'

export interface TestUserWithData {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly user_id: string
  readonly refresh_token: string
  readonly device_id: string
  readonly key_id: string
  readonly workflow_id: string
  readonly task_id: string
  readonly file_id: string
  /** Part of the ids of the device and the entities; another user may guess it. */
  readonly handle: string
  /** A text that is in everything this user stored, and nowhere else. */
  readonly secret: string
  call(id: RouteId, visit?: ContractRequest): Promise<Reply>
}

export async function createUserWithData(base: string): Promise<TestUserWithData> {
  const secret = `only-mine-${randomBytes(8).toString('hex')}`
  const handle = randomBytes(8).toString('hex')
  const email = `${randomBytes(8).toString('hex')}@example.org`
  const password = `a long ${randomBytes(6).toString('hex')}`
  const session = expectStatus(201, await callRoute(base, 'auth_register', { body: { email, password, display_name: secret } }))
  const token: string = session.body.access_token
  const call = (id: RouteId, one: ContractRequest = {}) => callRoute(base, id, { token, ...one })
  const device_id = `device-${handle}`

  expectStatus(201, await call('users_devices_register', { body: { device_id, name: secret, platform: 'linux', app_version: '0.1.0' } }))
  const key = await call('users_keys_create', { body: { name: secret, scopes: ['gateway'] } })
  const key_id: string = expectStatus(201, key).body.api_key.id
  const workflow = await call('workflows_create', { body: { ...routes.workflows_create.examples.body, name: secret } })
  const workflow_id: string = expectStatus(201, workflow).body.id
  const task = await call('tasks_create', { body: { title: secret, input: '{"folder":"reports"}', workflow_id, device_id } })
  const task_id: string = expectStatus(201, task).body.id
  const file_id: string = expectStatus(201, await call('files_upload', { raw: upload(secret, `${secret}.txt`) })).body.id
  expectStatus(
    202,
    await call('logs_report', { body: { records: [{ ...routes.logs_report.examples.body.records[0], message: secret, device_id }] } }),
  )
  expectStatus(200, await call('device_heartbeat', { body: { ...routes.device_heartbeat.examples.body, device_id } }))
  const pushed = await call('sync_push', {
    body: { device_id, changes: [change('agents', handle, { name: secret }), change('messages', handle, { text: secret })] },
  })
  expectStatus(200, pushed)
  const { refresh_token, user } = session.body
  return { email, password, token, user_id: user.id, refresh_token, device_id, key_id, workflow_id, task_id, file_id, handle, secret, call }
}

export function change(entity_type: string, entity_id: string, payload: object, more: object = {}): object {
  const ts = new Date().toISOString()
  return { entity_type, entity_id, op: 'upsert', version: 1, updated_at: ts, source_ts: ts, payload, ...more }
}

export function upload(content: string, name: string, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([content], { type: 'text/plain' }), name)
  return form
}

function expectStatus(status: number, reply: Reply): Reply {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply
}
