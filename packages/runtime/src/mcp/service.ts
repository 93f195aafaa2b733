// The interface of MCP for commands, the tool registry and sync. Failures are values.
import type { McpServerStatus } from '@tandem/contract/mcp'
import { type McpOutcome, mcpSuccess } from './failure.ts'
import { type FolderConsent, openFolderConsent } from './folder/folder-consent.ts'
import { openServerImports, type ServerImports } from './import/import-servers.ts'
import type { McpPorts } from './ports.ts'
import { openServerChanges, type ServerChanges } from './server-changes.ts'
import { openServerContent, type ServerContent } from './server-content.ts'
import { type ListedServer, openServers } from './servers.ts'
import { openServerSignIns, type ServerSignIns } from './sign-in/server-sign-ins.ts'
import { openServerTools, type ServerTools } from './tool/server-tools.ts'

export interface McpService extends FolderConsent, ServerChanges, ServerContent, ServerImports, ServerSignIns, ServerTools {
  /** Connects enabled servers, those of a folder or those of none. Resolves when each has been tried once, or after a time limit. */
  start(folder?: string | null): Promise<void>
  stop(): Promise<void>
  listServers(): readonly ListedServer[]
  testServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
  connectServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
  disconnectServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
}

export function mcpService(ports: McpPorts): McpService {
  const servers = openServers({
    ...ports,
    toolsChanged(server_id) {
      clear()
      ports.toolsChanged(server_id)
    },
  })
  const { serverTools, clear } = openServerTools(servers)
  const { withServer, disconnect } = servers
  return {
    ...openFolderConsent(servers),
    ...openServerChanges(servers),
    ...openServerContent(servers),
    ...openServerImports(servers),
    ...openServerSignIns(servers),
    ...serverTools,
    start: (folder = null) => servers.start(folder),
    stop: servers.stop,
    listServers: () => servers.definitions().map(servers.listed),
    testServer: async (server_id) => withServer(server_id, (each) => each.test()),
    connectServer: async (server_id) => withServer(server_id, (each) => each.connect()),
    disconnectServer: async (server_id) => withServer(server_id, async () => mcpSuccess(await disconnect(server_id))),
  }
}
