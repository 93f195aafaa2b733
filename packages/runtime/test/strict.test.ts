// `strict` as the specification defines it: shell, out-of-scope network and browser.eval are blocked regardless of approvals.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

async function outcome(name: string, args: unknown, hosts: string[]) {
  agent = await startTestAgent([{ calls: [{ name, arguments: args }] }, { text: 'Done.' }])
  const agent_id = await agent.agent()
  await agent.policy(agent_id, name, { approval_mode: 'auto', network_scope: { hosts } })
  const { results } = await agent.ask(agent_id, 'Go', 'strict')
  const [result] = results
  return [result?.outcome, result?.failure_contract?.taxonomy, result?.failure_contract?.reason_code]
}

test.each([
  ['shell.exec', { command: 'echo hi' }],
  ['script.run', { language: 'bash', source: 'echo hi' }],
  ['browser.eval', { expression: '1' }],
])(
  '%s',
  async (name, args) => {
    expect(await outcome(name, args, ['*'])).toEqual(['denied', 'sandbox_failure', 'blocked_in_strict'])
  },
  30_000,
)

test('"*" allows no host; a host that is named can be reached', async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const request = { method: 'GET', url: `http://${host}/` }
  expect(await outcome('http.request', request, ['*'])).toEqual(['denied', 'sandbox_failure', 'host_out_of_scope'])
  await agent.stop()
  expect(await outcome('http.request', request, [host])).toEqual(['succeeded', undefined, undefined])
  server.close()
})
