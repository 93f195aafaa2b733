// Callers that disconnect during authentication.
import { request } from 'node:http'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { testApp } from '../../../test/support/test-app.ts'
import { waitFor } from '../../../test/support/test-wait.ts'

const hello = JSON.stringify({ model: 'demo/scripted', messages: [{ role: 'user', content: 'Hello' }] })
/** Two that are served directly, one by Fastify with a body, one without. */
const calls = [
  { method: 'POST', path: '/api/v1/device/heartbeat', body: '{}' },
  { method: 'POST', path: '/api/v1/llm/chat/completions', body: hello },
  { method: 'POST', path: '/api/v1/sync/push', body: '{}' },
  { method: 'GET', path: '/api/v1/users/profile' },
]

test('callers that disconnect during authentication do not count as open forever', async () => {
  const { promise: known, resolve: know } = Promise.withResolvers<boolean>()
  let looks = 0
  const has = () => {
    looks += 1
    return known
  }
  await using backend = await testApp({ services: { endedSessions: { add: async () => undefined, has } } })
  const { server } = backend.app
  const url = await backend.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { ...(await backend.user()).headers, 'content-type': 'application/json' }

  const leaving = Array.from({ length: 42 }, (_, n) => {
    const { method, path, body } = calls[n % calls.length] ?? {}
    const one = request(`${url}${path}`, { method, headers, agent: false })
    return one.on('error', () => undefined).end(body)
  })
  await waitFor(() => looks === leaving.length, 20_000)
  for (const one of leaving) one.destroy()
  const connections = promisify(server.getConnections.bind(server))
  await waitFor(async () => (await connections()) === 0, 20_000)
  know(false)

  const statuses: number[] = []
  for (const { path, ...call } of calls) statuses.push((await fetch(`${url}${path}`, { ...call, headers })).status)
  expect(statuses).toEqual([400, 200, 400, 200])
})
