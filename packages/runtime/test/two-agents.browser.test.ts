// Two agents whose policies name different hosts browse at once, in real browsers: neither reaches the other's, even if a page links there.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startTestAgent } from './support/test-agent.ts'

/** A site that returns its name, and whose every page tries to load the other one's. */
async function site(name: string, other: () => string) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    response
      .setHeader('content-type', 'text/html')
      .end(`<h1>This is ${name}</h1><img src="http://${other()}/stolen"><script>fetch('http://${other()}/fetched')</script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

test('neither browser reaches the other’s host', async () => {
  let hosts: readonly string[] = []
  const sites = [await site('the first', () => hosts[1] ?? ''), await site('the second', () => hosts[0] ?? '')]
  hosts = sites.map(({ host }) => host)
  const here = await startTestAgent((_index, { messages }) => {
    const opened = messages.filter(({ role }) => role === 'tool').length
    const host = hosts[opened]
    return host ? { calls: [{ name: 'browser.open', arguments: { url: `http://${host}/own` } }] } : { text: 'Done.' }
  })
  onTestFinished(() => here.stop())
  const reached = await Promise.all(
    hosts.map(async (own) => {
      const agent_id = await here.agent()
      await here.policy(agent_id, 'browser.open', { approval_mode: 'auto', network_scope: { hosts: [own] } })
      const { results } = await here.ask(agent_id, 'Look at both')
      return results.map(({ outcome, failure_contract }) => failure_contract?.reason_code ?? outcome)
    }),
  )
  expect(reached).toEqual([
    ['succeeded', 'host_out_of_scope'],
    ['host_out_of_scope', 'succeeded'],
  ])
  // Each site got requests only from its own agent, and from no page of the other.
  for (const { requests } of sites) expect(requests.filter((path) => path !== '/favicon.ico')).toEqual(['/own'])
})
