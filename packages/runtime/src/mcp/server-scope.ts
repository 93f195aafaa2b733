// What a server may touch: the workspace of its session and a folder of its own; of the network its own address and what its user consented to.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { McpServer } from '@tandem/contract/mcp'
import { defaultToolPolicy, type SandboxMode } from '@tandem/contract/tool'
import type { Decision } from '../policy/decide.ts'
import type { CommandRunner } from '../sandbox/command/command-runner.ts'
import type { CallScope } from '../tools/context.ts'
import type { Consent, SessionPlace } from './ports.ts'

/** The name by which the folder of a session is kept beside those of runs. */
export function serverFolder(server_id: string, { workspace, sandbox_mode }: SessionPlace): string {
  const place = createHash('sha256').update(`${sandbox_mode} ${workspace}`).digest('hex').slice(0, 12)
  return `mcp-${server_id}-${place}`
}

export function serverScope(
  server: McpServer,
  { network_hosts }: Consent,
  place: SessionPlace,
  own: Pick<CallScope, 'temp' | 'home' | 'report'>,
): CallScope {
  const hosts = server.transport === 'http' ? [addressOf(server.url), ...network_hosts] : [...network_hosts]
  const tool = `mcp.${server.server_id}` as const
  return {
    ...own,
    ...place,
    ids: { agent_id: '', conversation_id: '', run_id: serverFolder(server.server_id, place), call_id: '' },
    tool,
    policy: { ...defaultToolPolicy(`${tool}.server`), network_scope: { hosts } },
  }
}

/** Programs that fetch themselves keep what they fetched; a home that is read-only would end them. */
export function cachesIn(temp: string): Readonly<Record<string, string>> {
  return { XDG_CACHE_HOME: join(temp, 'cache'), npm_config_cache: join(temp, 'cache', 'npm') }
}

/** A server may serve several runs, so `trusted` frees none; one behind an address is held by its address in every mode. */
export function placeFor(server: McpServer, { workspace, sandbox_mode }: Pick<CallScope, 'workspace' | 'sandbox_mode'>): SessionPlace {
  return { workspace, sandbox_mode: sandbox_mode === 'strict' && server.transport === 'stdio' ? 'strict' : 'workspace' }
}

/** In strict a program that nothing would hold is not even asked about. */
export function strictRefusal(
  tool: string,
  sandbox_mode: SandboxMode,
  transport: McpServer['transport'] | undefined,
  enforcement: CommandRunner['enforcement'],
): Decision | null {
  if (sandbox_mode !== 'strict' || transport !== 'stdio' || enforcement === 'os') return null
  return {
    decision: 'refuse',
    stage: 'sandbox_enforcement',
    reason_code: 'sandbox_unavailable',
    message: `${tool} is a program on this device; strict mode needs a sandbox for it, and this host has none`,
    remedy: 'Install bubblewrap and socat, or run the agent in workspace mode.',
  }
}

/** With its port: a yes to a server is none to its neighbour. */
function addressOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
