// The official servers through the whole loop: consent, approval, calls, and a server that dies in the middle of a run.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startTestAgent, type TestAgent } from './test-agent.ts'

let agent: TestAgent
afterEach(() => agent.stop())

const require = createRequire(import.meta.url)
const program = (name: string) => join(require.resolve(`@modelcontextprotocol/${name}/package.json`), '..', 'dist', 'index.js')

async function addServer(server_id: string, args: readonly string[]) {
  const server = {
    server_id,
    name: server_id,
    transport: 'stdio' as const,
    command: process.execPath,
    args: [...args],
    env_names: [],
    working_directory: null,
    enabled: true,
    auto_reconnect: true,
    default_approval_mode: 'required' as const,
  }
  const { preview } = await agent.call('mcp_server_preview', { server: server })
  return agent.call('mcp_server_add', {
    server: server,
    consent: { definition_sha256: preview.definition_sha256, network_hosts: [] },
  })
}

async function approve(run_id: string) {
  const { items } = await agent.call('approval_list', { run_id })
  const [waiting] = items
  if (!waiting) throw new Error(`nothing waits: ${JSON.stringify(agent.runtime.journal.steps(run_id).slice(-2))}`)
  const { approval_id, fingerprint } = waiting.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
  return waiting.approval
}

test('a tool of a server is asked about with its own words, runs, and its result reaches the model', async () => {
  agent = await startTestAgent([{ calls: [{ name: 'mcp.files.list_directory', arguments: { path: '.' } }] }, { text: 'Listed.' }])
  writeFileSync(join(agent.workspace, 'hello.txt'), 'hello')
  await addServer('files', [program('server-filesystem'), agent.workspace])
  const { run_id } = await agent.ask(await agent.agent(), 'List')
  const approval = await approve(run_id)
  expect(approval.warnings.join('\n')).toContain('was never approved on this device')
  expect(agent.runtime.journal.run(run_id)).toMatchObject({ state: 'completed' })
  expect(JSON.stringify(agent.model.requests.at(-1)?.messages.at(-1))).toContain('hello.txt')
}, 60_000)

test('a definition nobody on this device said yes to starts nothing', async () => {
  agent = await startTestAgent([{ text: 'Nothing to do.' }])
  const server = {
    server_id: 'late',
    name: 'late',
    transport: 'stdio' as const,
    command: 'touch',
    args: [join(agent.workspace, 'started')],
  }
  const added = await agent.runtime.commands.call('mcp_server_add', {
    server: { ...server, env_names: [], working_directory: null, enabled: true, auto_reconnect: true, default_approval_mode: 'required' },
    consent: null,
  })
  expect(added).toMatchObject({ ok: true })
  await agent.ask(await agent.agent(), 'Hello')
  const { items } = await agent.call('mcp_server_list', {})
  expect(items.map(({ status }) => status.state)).toEqual(['created'])
}, 60_000)
