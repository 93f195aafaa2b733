// What a server may touch: the workspace and a folder of its own; of the network its own address and what its user consented to.
import type { McpServer } from '@tandem/contract/mcp'
import { defaultToolPolicy } from '@tandem/contract/tool'
import type { CallScope } from '../tools/context.ts'
import type { Consent } from './ports.ts'

/** The name by which a server's folder is kept beside those of runs. */
export function serverFolder(server_id: string): string {
  return `mcp-${server_id}`
}

export function serverScope(
  server: McpServer,
  { network_hosts }: Consent,
  place: Pick<CallScope, 'workspace' | 'temp' | 'home' | 'report'>,
): CallScope {
  const hosts = server.transport === 'http' ? [addressOf(server.url), ...network_hosts] : [...network_hosts]
  const tool = `mcp.${server.server_id}` as const
  return {
    ...place,
    ids: { agent_id: '', conversation_id: '', run_id: serverFolder(server.server_id), call_id: '' },
    tool,
    policy: { ...defaultToolPolicy(`${tool}.server`), network_scope: { hosts } },
    // It serves agents of every mode, so it is held to the one between.
    sandbox_mode: 'workspace',
  }
}

/** With its port: a yes to a server is none to its neighbour. */
function addressOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
