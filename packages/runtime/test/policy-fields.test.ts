// Each field of a policy changes the result of the same call: for a file tool, a command, a network tool, and a tool of an
// MCP server.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ToolPolicy } from '@tandem/contract/tool'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../src/clock/clock.ts'
import { everythingAt, freePort } from './support/mcp/test-mcp.ts'
import { startTestAgent, type TestAgent } from './support/test-agent.ts'
import { address, hostileServer, program, trusted } from './support/test-mcp-run.ts'

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

/** A tool's limit of a second expires in a millisecond; the model and everything else have normal time. */
const hurried = { ...systemClock, after: (ms: number, call: () => void) => systemClock.after(ms === 1_000 ? 1 : ms, call) }

const calls = {
  'fs.write': () => ({ path: 'inside/a.txt', content: 'a', create_parents: true }),
  'fs.list': () => ({ path: '.', depth: 5 }),
  'shell.exec': () => ({ command: 'echo a > inside.txt' }),
  'web.fetch': () => ({ url: `http://${host}/` }),
  'http.request': () => ({ method: 'GET', url: `http://${host}/` }),
  'mcp.hostile.write': () => ({ path: 'inside/a.txt' }),
  'mcp.hostile.fetch': () => ({ url: `http://${host}/` }),
} as const

type Called = keyof typeof calls

/** The result of a call under a policy: its outcome and reason, or that approval is needed. */
async function outcome(tool: Called, fields: Partial<ToolPolicy>, options: { clock?: typeof hurried; twice?: true; input?: unknown } = {}) {
  const made = { name: tool, arguments: options.input ?? calls[tool]() }
  agent = await startTestAgent(
    [{ calls: options.twice ? [made, made] : [made] }, { text: 'Done.' }],
    options.clock ? { clock: options.clock } : {},
  )
  mkdirSync(join(agent.workspace, 'inside'))
  // Enough to be still running when a shortened limit expires.
  for (let index = 0; tool === 'fs.list' && index < 2_000; index += 1) writeFileSync(join(agent.workspace, 'inside', `${index}`), '')
  const agent_id = await agent.agent()
  if (tool.startsWith('mcp.')) await trusted(agent, agent_id, program('hostile', [hostileServer, 'writer']), {}, [host])
  const open: Partial<ToolPolicy> = { approval_mode: 'auto', network_scope: { hosts: [host] } }
  await agent.policy(agent_id, tool, { ...open, ...fields })
  const { state, results } = await agent.ask(agent_id, 'Go')
  await agent.stop()
  agent = undefined
  const last = results.find((result) => result.outcome !== 'succeeded') ?? results.at(-1)
  return last ? `${last.outcome}${last.failure_contract ? ` ${last.failure_contract.reason_code}` : ''}` : state
}

const all = ['fs.write', 'shell.exec', 'http.request', 'mcp.hostile.write'] as const

test.each(all)(
  'enabled: %s',
  async (tool) => {
    expect(await outcome(tool, { enabled: true })).toBe('succeeded')
    expect(await outcome(tool, { enabled: false })).toBe('denied tool_disabled')
  },
  60_000,
)

test.each(all)(
  'approval_mode: %s',
  async (tool) => {
    expect(await outcome(tool, { approval_mode: 'auto' })).toBe('succeeded')
    expect(await outcome(tool, { approval_mode: 'required' })).toBe('paused')
    expect(await outcome(tool, { approval_mode: 'manual_each_call' })).toBe('paused')
    expect(await outcome(tool, { approval_mode: 'deny' })).toBe('denied tool_denied')
  },
  60_000,
)

test.each(all)(
  'rate_limit: %s',
  async (tool) => {
    expect(await outcome(tool, { rate_limit: { calls: 2, per_seconds: 3_600 } }, { twice: true })).toBe('succeeded')
    expect(await outcome(tool, { rate_limit: { calls: 1, per_seconds: 3_600 } }, { twice: true })).toBe('denied rate_limited')
  },
  60_000,
)

test.each(['fs.list', 'shell.exec', 'http.request', 'mcp.hostile.write'] as const)(
  'time_limit: %s',
  async (tool) => {
    // A command gets real seconds: its sandbox is tested on the same clock before it runs.
    const options = tool === 'shell.exec' ? { input: { command: 'sleep 3' } } : { clock: hurried }
    expect(await outcome(tool, { time_limit: { seconds: 86_400 } }, options)).toBe('succeeded')
    expect(await outcome(tool, { time_limit: { seconds: 1 } }, options)).toBe('timed_out time_limit_exceeded')
  },
  60_000,
)

test.each(['web.fetch', 'shell.exec', 'http.request', 'mcp.hostile.fetch'] as const)(
  'network_scope: %s',
  async (tool) => {
    const input = tool === 'shell.exec' ? { command: `curl -sf --max-time 40 http://${host}/ && echo reached` } : calls[tool]()
    const near = { network_scope: { hosts: [host] } }
    const far = { network_scope: { hosts: ['example.org'] } }
    if (tool === 'web.fetch' || tool === 'http.request') {
      expect(await outcome(tool, near)).toBe('succeeded')
      expect(await outcome(tool, far)).toBe('denied host_out_of_scope')
      return
    }
    expect(await said(tool, near, input)).toContain('reached')
    expect(await said(tool, far, input)).not.toContain('reached')
  },
  60_000,
)

test.each(['fs.write', 'shell.exec', 'mcp.hostile.write'] as const)(
  'fs_scope: %s',
  async (tool) => {
    const input = tool === 'shell.exec' ? { command: 'echo x > inside/b.txt && echo wrote in inside' } : calls[tool]()
    const whole = { fs_scope: { roots: ['.'], globs: ['**'] } }
    const elsewhere = { fs_scope: { roots: ['elsewhere'], globs: ['**'] } }
    if (tool === 'fs.write') {
      expect(await outcome(tool, whole)).toBe('succeeded')
      expect(await outcome(tool, elsewhere)).toBe('denied path_out_of_scope')
      return
    }
    expect(await said(tool, whole, input)).toContain('wrote in')
    expect(await said(tool, elsewhere, input)).not.toContain('wrote in')
  },
  60_000,
)

// Decision 0034: file tools reach no host, and network tools name no file.
test.each<[Called, Partial<ToolPolicy>, Partial<ToolPolicy>]>([
  ['fs.write', { network_scope: { hosts: ['*'] } }, { network_scope: { hosts: [] } }],
  ['http.request', { fs_scope: { roots: ['.'], globs: ['**'] } }, { fs_scope: { roots: ['elsewhere'], globs: ['nothing'] } }],
  ['web.fetch', { fs_scope: { roots: ['.'], globs: ['**'] } }, { fs_scope: { roots: ['elsewhere'], globs: ['nothing'] } }],
])(
  'a scope that %s does not use changes nothing',
  async (tool, wide, narrow) => {
    expect([await outcome(tool, wide), await outcome(tool, narrow)]).toEqual(['succeeded', 'succeeded'])
  },
  60_000,
)

test('a server with an address: a host that is not in the policy is not called, and in strict the mode blocks it', async () => {
  agent = await startTestAgent((_index, { messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [{ name: 'mcp.far.echo', arguments: { message: 'hi' } }] },
  )
  const agent_id = await agent.agent()
  const port = await freePort()
  const server = await everythingAt(port)
  onTestFinished(() => void server.kill('SIGKILL'))
  await trusted(agent, agent_id, address('far', `http://127.0.0.1:${port}/mcp`))
  const taxonomy = async (hosts: string[], mode: 'workspace' | 'strict') => {
    await agent?.policy(agent_id, 'mcp.far.echo', { approval_mode: 'auto', network_scope: { hosts } })
    const [result] = (await agent?.ask(agent_id, 'Go', mode))?.results ?? []
    return [result?.outcome, result?.failure_contract?.reason_code, result?.failure_contract?.taxonomy]
  }
  expect(await taxonomy(['*'], 'workspace')).toEqual(['succeeded', undefined, undefined])
  expect(await taxonomy(['*'], 'strict')).toEqual(['succeeded', undefined, undefined])
  expect(await taxonomy(['example.org'], 'workspace')).toEqual(['denied', 'host_out_of_scope', 'policy_failure'])
  expect(await taxonomy([], 'strict')).toEqual(['denied', 'host_out_of_scope', 'sandbox_failure'])
})

/** What a command printed, for scopes that the operating system enforces. */
async function said(tool: Called, fields: Partial<ToolPolicy>, input: unknown): Promise<string> {
  agent = await startTestAgent([{ calls: [{ name: tool, arguments: input }] }, { text: 'Done.' }])
  mkdirSync(join(agent.workspace, 'inside'))
  mkdirSync(join(agent.workspace, 'elsewhere'))
  const agent_id = await agent.agent()
  if (tool.startsWith('mcp.')) await trusted(agent, agent_id, program('hostile', [hostileServer, 'writer']), {}, [host])
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
        { name: 'shell.exec', arguments: { command: `curl -sf --max-time 40 http://${one}/` } },
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
})
