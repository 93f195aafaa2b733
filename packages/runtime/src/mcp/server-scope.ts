// What a server may access: the workspace of its session and its own folder; of the network, its own address and the hosts that its user
// approved. The scopes in the policy of a tool narrow both. They apply to a process, so tools with different scopes have different
// processes.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { McpServer } from '@tandem/contract/mcp'
import { defaultToolPolicy, type SandboxMode } from '@tandem/contract/tool'
import type { CallScope } from '../call/scope.ts'
import { allowedByBoth } from './host-overlap.ts'
import type { ServerApproval, SessionScope } from './ports.ts'

/** The full scope of a server: the whole workspace, and every approved host. Used by the session whose state is listed. */
export const fullScope: Pick<SessionScope, 'roots' | 'hosts'> = { roots: ['.'], hosts: ['*'] }

/** Calls with the same key share a process. */
export function sessionKey({ workspace, sandbox_mode, roots, hosts }: SessionScope): string {
  return JSON.stringify([sandbox_mode, workspace, [...new Set(roots)].sort(), [...new Set(hosts)].sort()])
}

/** The name of the session's folder, next to those of runs. */
export function serverFolder(server_id: string, place: SessionScope): string {
  return `mcp-${server_id}-${createHash('sha256').update(sessionKey(place)).digest('hex').slice(0, 12)}`
}

export function serverScope(
  server: McpServer,
  { network_hosts }: ServerApproval,
  place: SessionScope,
  own: Pick<CallScope, 'temp' | 'home' | 'report'>,
): CallScope {
  const { workspace, sandbox_mode, roots } = place
  const named = server.transport === 'http' ? [addressOf(server.url), ...network_hosts] : network_hosts
  const hosts = allowedByBoth(named, place.hosts)
  const tool = `mcp.${server.server_id}` as const
  return {
    ...own,
    workspace,
    sandbox_mode,
    ids: { agent_id: '', conversation_id: '', run_id: serverFolder(server.server_id, place), call_id: '' },
    tool,
    policy: {
      ...defaultToolPolicy(`${tool}.server`),
      // In strict, only hosts that were named are in scope: "every host" names none.
      network_scope: { hosts: sandbox_mode === 'strict' ? hosts.filter((host) => !/^\*(?::\d+)?$/.test(host)) : hosts },
      fs_scope: { roots: [...roots], globs: ['**'] },
    },
  }
}

/** Programs that download themselves need a cache; they would fail with a read-only home. */
export function cacheVariables(temp: string): Readonly<Record<string, string>> {
  return { XDG_CACHE_HOME: join(temp, 'cache'), npm_config_cache: join(temp, 'cache', 'npm') }
}

/**
 * A server may serve several runs, so `trusted` does not lift its restrictions; a remote server is restricted by its address in every mode.
 */
export function modeFor(server: McpServer, sandbox_mode: SandboxMode): SessionScope['sandbox_mode'] {
  return sandbox_mode === 'strict' && server.transport === 'stdio' ? 'strict' : 'workspace'
}

/** Where a call of one of its tools goes. A remote server writes no files here: `fs_scope` has nothing to restrict. */
export function sessionScopeFor(server: McpServer, call: Pick<CallScope, 'workspace' | 'sandbox_mode' | 'policy'>): SessionScope {
  const { fs_scope, network_scope } = call.policy
  return {
    workspace: call.workspace,
    sandbox_mode: modeFor(server, call.sandbox_mode),
    roots: server.transport === 'stdio' ? fs_scope.roots : fullScope.roots,
    hosts: network_scope.hosts,
  }
}

/** With its port: approving a server does not approve another one on the same host. */
export function addressOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
