// Settings of the user take effect in a whole runtime.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

/** Its origin. */
async function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function started(...args: Parameters<typeof startTestAgent>): Promise<TestAgent> {
  const agent = await startTestAgent(...args)
  ends.unshift(() => agent.stop())
  return agent
}

function say(response: ServerResponse, text: string): void {
  const choices = [{ index: 0, delta: { content: text }, finish_reason: 'stop' }]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify({ id: 'c', choices })}\n\ndata: [DONE]\n\n`)
}

test('a retried request to a model does not send the key of an address that was set in the meantime', async () => {
  const seen: string[] = []
  const b = await serve(async (request, response) => {
    seen.push(`b ${request.headers.authorization}`)
    say(response, 'B')
  })
  const a: string = await serve(async (request, response) => {
    seen.push(`a ${request.headers.authorization}`)
    if (seen.length > 1) return say(response, 'A')
    await agent.call('runtime_set_settings', { model_base_url: `${b}/v1`, model_key: 'key-b' })
    response.writeHead(500).end('{}')
  })
  const hurried = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms / 100, call) }
  const agent = await started([], { clock: hurried })
  await agent.call('runtime_set_settings', { model_base_url: `${a}/v1`, model_key: 'key-a' })
  const agent_id = await agent.agent()
  expect((await agent.ask(agent_id, 'Go')).state).toBe('completed')
  expect((await agent.ask(agent_id, 'Go on')).state).toBe('completed')
  expect(seen.filter((line) => !['a Bearer key-a', 'b Bearer key-b'].includes(line))).toEqual([])
  expect(seen.at(0)).toBe('a Bearer key-a')
  expect(seen.at(-1)).toBe('b Bearer key-b')
})

test.each(['settings', 'environment'] as const)('web.search uses the provider from the %s, with its key', async (place) => {
  const seen: string[] = []
  const origin = await serve(async (request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    response.end(JSON.stringify({ results: [{ title: 'Found', url: 'https://found.test/', content: 'it' }] }))
  })
  const environment = { TANDEM_SEARCH_PROVIDER: 'searxng', TANDEM_SEARCH_URL: origin, TANDEM_SEARCH_KEY: 'key-s' }
  const script = [{ calls: [{ name: 'web.search', arguments: { query: 'tandem' } }] }, { text: 'Done.' }]
  const agent = await started(script, place === 'environment' ? { environment } : {})
  if (place === 'settings') {
    await agent.call('runtime_set_settings', { search_provider: 'searxng', search_url: origin, search_key: 'key-s' })
  }
  const agent_id = await agent.agent()
  await agent.policy(agent_id, 'web.search', { approval_mode: 'auto', network_scope: { hosts: [new URL(origin).host] } })
  const { results } = await agent.ask(agent_id, 'Search')
  expect(results.map(({ outcome, failure_contract }) => [outcome, failure_contract])).toEqual([['succeeded', null]])
  expect(JSON.stringify(results)).toContain('https://found.test/')
  expect(seen).toEqual(['/search?q=tandem&format=json&pageno=1 Bearer key-s'])
  expect(JSON.stringify([agent.model.requests, agent.logged, results])).not.toContain('key-s')
})
