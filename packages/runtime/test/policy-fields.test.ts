// Each field of a policy changes what becomes of the very same call: for a tool of files, a command, and a tool of the network.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ToolPolicy } from '@tandem/contract/tool'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { startTestAgent, type TestAgent } from './test-agent.ts'

let server: Server
let host: string
let agent: TestAgent | undefined

beforeAll(async () => {
  server = createServer((_request, response) => setTimeout(() => response.end('reached'), 30))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => server.close(resolve)))
afterEach(async () => {
  await agent?.stop()
  agent = undefined
})

/** A tool's limit of a second is over in a millisecond; the model and all else have their time. */
const hurried = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms === 1_000 ? 1 : ms, call) }

const calls = {
  'fs.write': () => ({ path: 'inside/a.txt', content: 'a', create_parents: true }),
  'fs.list': () => ({ path: '.', depth: 5 }),
  'shell.exec': () => ({ command: 'echo a > inside.txt' }),
  'web.fetch': () => ({ url: `http://${host}/` }),
  'http.request': () => ({ method: 'GET', url: `http://${host}/` }),
} as const

type Called = keyof typeof calls

/** What becomes of a call under a policy: its outcome and why, or that a person is asked. */
async function outcome(tool: Called, fields: Partial<ToolPolicy>, options: { clock?: typeof hurried; twice?: true; input?: unknown } = {}) {
  const made = { name: tool, arguments: options.input ?? calls[tool]() }
  agent = await startTestAgent(
    [{ calls: options.twice ? [made, made] : [made] }, { text: 'Done.' }],
    options.clock ? { clock: options.clock } : {},
  )
  mkdirSync(join(agent.workspace, 'inside'))
  // Enough to be still at it when a hurried limit is over.
  for (let index = 0; tool === 'fs.list' && index < 2_000; index += 1) writeFileSync(join(agent.workspace, 'inside', `${index}`), '')
  const agent_id = await agent.agent()
  const open: Partial<ToolPolicy> = { approval_mode: 'auto', network_scope: { hosts: [host] } }
  await agent.policy(agent_id, tool, { ...open, ...fields })
  const { state, results } = await agent.ask(agent_id, 'Go')
  await agent.stop()
  agent = undefined
  const last = results.find((result) => result.outcome !== 'succeeded') ?? results.at(-1)
  return last ? `${last.outcome}${last.failure_contract ? ` ${last.failure_contract.reason_code}` : ''}` : state
}

const reached = { 'fs.write': 'succeeded', 'shell.exec': 'succeeded', 'http.request': 'succeeded' } as const
const trio = ['fs.write', 'shell.exec', 'http.request'] as const

test.each(trio)(
  'enabled: %s',
  async (tool) => {
    expect(await outcome(tool, { enabled: true })).toBe(reached[tool])
    expect(await outcome(tool, { enabled: false })).toBe('denied tool_disabled')
  },
  60_000,
)

test.each(trio)(
  'approval_mode: %s',
  async (tool) => {
    expect(await outcome(tool, { approval_mode: 'auto' })).toBe(reached[tool])
    expect(await outcome(tool, { approval_mode: 'required' })).toBe('paused')
    expect(await outcome(tool, { approval_mode: 'manual_each_call' })).toBe('paused')
    expect(await outcome(tool, { approval_mode: 'deny' })).toBe('denied tool_denied')
  },
  60_000,
)

test.each(trio)(
  'rate_limit: %s',
  async (tool) => {
    expect(await outcome(tool, { rate_limit: { calls: 2, per_seconds: 3_600 } }, { twice: true })).toBe('succeeded')
    expect(await outcome(tool, { rate_limit: { calls: 1, per_seconds: 3_600 } }, { twice: true })).toBe('denied rate_limited')
  },
  60_000,
)

test.each(['fs.list', 'shell.exec', 'http.request'] as const)(
  'time_limit: %s',
  async (tool) => {
    // A command is given real seconds: its sandbox is tried out on the same clock before it runs.
    const options = tool === 'shell.exec' ? { input: { command: 'sleep 3' } } : { clock: hurried }
    expect(await outcome(tool, { time_limit: { seconds: 86_400 } }, options)).toBe('succeeded')
    expect(await outcome(tool, { time_limit: { seconds: 1 } }, options)).toBe('timed_out time_limit_exceeded')
  },
  60_000,
)

test.each(['web.fetch', 'shell.exec', 'http.request'] as const)(
  'network_scope: %s',
  async (tool) => {
    const input = tool === 'shell.exec' ? { command: `curl -sf --max-time 5 http://${host}/ && echo reached` } : undefined
    const near = { network_scope: { hosts: [host] } }
    const far = { network_scope: { hosts: ['example.org'] } }
    if (tool !== 'shell.exec') {
      expect(await outcome(tool, near)).toBe('succeeded')
      expect(await outcome(tool, far)).toBe('denied host_out_of_scope')
      return
    }
    expect(await said(tool, near, input)).toContain('reached')
    expect(await said(tool, far, input)).not.toContain('reached')
  },
  60_000,
)

test.each(['fs.write', 'shell.exec'] as const)(
  'fs_scope: %s',
  async (tool) => {
    const input = tool === 'shell.exec' ? { command: 'touch inside/b.txt && echo touched' } : undefined
    const whole = { fs_scope: { roots: ['.'], globs: ['**'] } }
    const elsewhere = { fs_scope: { roots: ['elsewhere'], globs: ['**'] } }
    if (tool === 'fs.write') {
      expect(await outcome(tool, whole)).toBe('succeeded')
      expect(await outcome(tool, elsewhere)).toBe('denied path_out_of_scope')
      return
    }
    expect(await said(tool, whole, input)).toContain('touched')
    expect(await said(tool, elsewhere, input)).not.toContain('touched')
  },
  60_000,
)

// Decision 0034: tools of files reach no host, and tools of the network name no file.
test.each<[Called, Partial<ToolPolicy>, Partial<ToolPolicy>]>([
  ['fs.write', { network_scope: { hosts: ['*'] } }, { network_scope: { hosts: [] } }],
  ['http.request', { fs_scope: { roots: ['.'], globs: ['**'] } }, { fs_scope: { roots: ['elsewhere'], globs: ['nothing'] } }],
  ['web.fetch', { fs_scope: { roots: ['.'], globs: ['**'] } }, { fs_scope: { roots: ['elsewhere'], globs: ['nothing'] } }],
])(
  'a scope that %s has no use for changes nothing',
  async (tool, wide, narrow) => {
    expect([await outcome(tool, wide), await outcome(tool, narrow)]).toEqual(['succeeded', 'succeeded'])
  },
  60_000,
)

/** What a command wrote, for scopes that the operating system enforces. */
async function said(tool: Called, fields: Partial<ToolPolicy>, input: unknown): Promise<string> {
  agent = await startTestAgent([{ calls: [{ name: tool, arguments: input }] }, { text: 'Done.' }])
  mkdirSync(join(agent.workspace, 'inside'))
  mkdirSync(join(agent.workspace, 'elsewhere'))
  const agent_id = await agent.agent()
  await agent.policy(agent_id, tool, { approval_mode: 'auto', ...fields })
  const { results } = await agent.ask(agent_id, 'Go')
  return JSON.stringify(results.map(({ output, failure_contract }) => [output, failure_contract]))
}

test('two agents with different hosts at once: neither reaches the other’s, by command or by request', async () => {
  const other = createServer((_request, response) => response.end('reached'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const hosts = [host, `127.0.0.1:${(other.address() as AddressInfo).port}`] as const
  const here = await startTestAgent((_index, { messages }) => {
    if (messages.some(({ role }) => role === 'tool')) return { text: 'Done.' }
    return {
      calls: hosts.flatMap((one) => [
        { name: 'http.request', arguments: { method: 'GET', url: `http://${one}/` } },
        { name: 'shell.exec', arguments: { command: `curl -sf --max-time 5 http://${one}/` } },
      ]),
    }
  })
  agent = here
  const outcomes = await Promise.all(
    hosts.map(async (own) => {
      const agent_id = await here.agent()
      for (const tool of ['http.request', 'shell.exec']) {
        await here.policy(agent_id, tool, { approval_mode: 'auto', network_scope: { hosts: [own] } })
      }
      const { results } = await here.ask(agent_id, 'Go')
      return results.map(({ output }) => JSON.stringify(output).includes('reached'))
    }),
  )
  expect(outcomes).toEqual([
    [true, true, false, false],
    [false, false, true, true],
  ])
  await new Promise((resolve) => other.close(resolve))
}, 60_000)
