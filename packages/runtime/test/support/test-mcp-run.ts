// Servers in a whole runtime: added with consent, their tools approved, and a check for what a run left behind.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '@tandem/contract/mcp'
import type { ToolPolicy } from '@tandem/contract/tool'
import type { TestAgent } from './test-agent.ts'

export const hostileServer = fileURLToPath(new URL('./mcp/test-hostile-server.ts', import.meta.url))

const shared = { enabled: true, auto_reconnect: true, default_approval_mode: 'required' as const }

export function program(server_id: string, args: readonly string[], env_names: readonly string[] = []): McpServer {
  const own = {
    transport: 'stdio' as const,
    command: process.execPath,
    args: [...args],
    env_names: [...env_names],
    working_directory: null,
  }
  return { server_id, name: server_id, ...shared, ...own }
}

export function address(server_id: string, url: string): McpServer {
  return { server_id, name: server_id, ...shared, transport: 'http', url, header_names: [], query_names: [] }
}

export async function addServer(agent: Pick<TestAgent, 'call'>, server: McpServer, network_hosts: readonly string[] = []) {
  const { preview } = await agent.call('mcp_server_preview', { server })
  await agent.call('mcp_server_add', {
    server,
    consent: { definition_sha256: preview.definition_sha256, network_hosts: [...network_hosts] },
  })
  const missing = server.transport === 'stdio' && server.env_names.length > 0
  // A run starts without a server that is slow to start; these tests are about what comes after.
  if (!missing) await agent.call('mcp_server_connect', { server_id: server.server_id })
}

/** Connects, and approves every tool in its current form, with a policy that needs no more approvals. */
export async function trusted(
  agent: TestAgent,
  agent_id: string,
  server: McpServer,
  policies: Record<string, Partial<ToolPolicy>> = {},
  network_hosts: readonly string[] = [],
) {
  await addServer(agent, server, network_hosts)
  const { server_id } = server
  const { items } = await agent.call('mcp_tool_list', { server_id, limit: 100 })
  for (const { tool } of items) {
    await agent.call('mcp_tool_consent', { tool: tool.tool, fingerprint: tool.fingerprint })
    await agent.policy(agent_id, tool.tool, { approval_mode: 'auto', ...policies[tool.remote_name] })
  }
}

/** Approves the pending call once; returns what was shown. */
export async function approve(agent: TestAgent, run_id: string) {
  const { items } = await agent.call('approval_list', { run_id })
  const [waiting] = items
  if (!waiting) throw new Error(`nothing waits: ${JSON.stringify(agent.runtime.journal.steps(run_id).slice(-2))}`)
  const { approval_id, fingerprint } = waiting.approval
  await agent.call('agent_run_resume', { run_id, answer: { kind: 'approval', approval_id, fingerprint, answer: 'once' } })
  await agent.runtime.settled(run_id)
  return waiting.approval
}

/** How each call ended, and the state of the run. */
export function callOutcomes(agent: TestAgent, run_id: string) {
  const results = agent.runtime.journal.steps(run_id).flatMap(({ step }) => (step.kind === 'tool.result' ? [step] : []))
  return {
    state: agent.runtime.journal.run(run_id)?.state,
    calls: results.map(({ outcome, failure_contract }) => failure_contract?.reason_code ?? outcome),
  }
}

/** Every transition of a server, as it was recorded. */
export function serverTransitions(agent: TestAgent, server_id: string): string[] {
  const recorded = agent.runtime.events.list({ after: 0, limit: -1 })
  return recorded.flatMap((event) => {
    if (event.event !== 'mcp_state_changed') return []
    const data = event.data as { server_id: string; from_state: string; to_state: string }
    return data.server_id === server_id && data.from_state !== data.to_state ? [`${data.from_state} ${data.to_state}`] : []
  })
}

/** Descendants of this process whose command line contains `what`. */
export function processesNaming(what: string, pid = process.pid): number[] {
  const found: number[] = []
  for (const child of childrenOf(pid)) {
    try {
      if (readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(what)) found.push(child)
      found.push(...processesNaming(what, child))
    } catch {
      // It ended in the meantime.
    }
  }
  return found
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The active resources of this process, counted by kind. */
export function activeResources(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo())
    if (kind !== 'Timeout' && kind !== 'Immediate') counts[kind] = (counts[kind] ?? 0) + 1
  for (const name of process.eventNames()) counts[`on ${String(name)}`] = process.listenerCount(name)
  return counts
}
