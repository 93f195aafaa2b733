// The tools of all servers: as users see and approve them, and as the registry offers them to runs.
import type { McpServer, McpTool } from '@tandem/contract/mcp'
import type { Tool, ToolOrigin } from '../../call/tool.ts'
import { timestamp } from '../../clock/clock.ts'
import { consentProblem } from '../admission.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import type { Servers } from '../servers.ts'
import { inspectedTools, type ListedTool } from './inspected-tools.ts'
import { isLeftOut, useRefusal } from './server-use.ts'
import type { ListingProblem } from './tool-list.ts'
import { serverOf } from './tool-name.ts'
import { toolStandingOf } from './tool-standing.ts'
import { dynamicTool } from './tools.ts'

export interface ServerTools {
  refreshTools(server_id: string): Promise<McpOutcome<readonly ListedTool[]>>
  listTools(server_id: string): McpOutcome<{ readonly tools: readonly ListedTool[]; readonly problems: readonly ListingProblem[] }>
  approveTool(tool: string, fingerprint: string): McpOutcome<ListedTool>
  /** The dynamic tools that a registry may offer now. */
  tools(): readonly Tool[]
  /** What an approval must show about a dynamic tool, and whether approval is needed; undefined if the tool does not exist. */
  standing(tool: string): ListedTool | undefined
}

/** `clear`: the tools of a server have changed. */
export function openServerTools(servers: Servers): { readonly serverTools: ServerTools; clear(): void } {
  const { ports, definition, definitions, opened, sessions, withServer } = servers
  const { folders, consents, clock } = ports
  const inspected = inspectedTools(
    () => new Map([...opened()].map(([server_id, { main }]) => [server_id, main.listing().tools])),
    ({ server_id, remote_name }) => isLeftOut(definition(server_id) ?? {}, remote_name),
  )

  function listedTools(server_id: string): ListedTool[] {
    return sessions(server_id).main.listing().tools.map(inspected.of)
  }

  function refusalFor(server_id: string, run: Parameters<NonNullable<ToolOrigin['refusal']>>[0]) {
    const server = definition(server_id)
    const folder = folders.folderOf(server_id)
    const isInCopy = folder !== null && folder !== run.workspace && ports.originOf(run.workspace) === folder
    const place = {
      folder,
      is_current: folders.isCurrent(server_id),
      copy_is_current: isInCopy ? folders.isCurrentIn(server_id, run.workspace) : null,
    }
    return server ? useRefusal(server, place, run) : null
  }

  function origin(server: McpServer, { tool, fingerprint }: McpTool): ToolOrigin {
    return toolStandingOf(server, fingerprint, {
      standing: () => serverTools.standing(tool),
      approve: (now) => void serverTools.approveTool(tool, now),
      refusal: (run) => refusalFor(server.server_id, run),
    })
  }

  const serverTools: ServerTools = {
    async refreshTools(server_id) {
      const refreshed = await withServer(server_id, (each) => each.refresh())
      return refreshed.ok ? mcpSuccess(listedTools(server_id)) : refreshed
    },
    listTools: (server_id) =>
      withServer(server_id, (each) => mcpSuccess({ tools: listedTools(server_id), problems: each.listing().problems })),
    approveTool(name, fingerprint) {
      const found = serverTools.standing(name)
      if (!found) return mcpFailed(mcpFailure('tool_missing', name, `there is no tool ${name}`))
      if (found.tool.fingerprint !== fingerprint)
        return mcpFailed(mcpFailure('stale_approval', name, `${name} has changed since it was shown`))
      consents.approveTool(found.tool.server_id, name, fingerprint, timestamp(clock.now()))
      if (found.withheld) ports.toolsChanged(found.tool.server_id)
      return mcpSuccess(serverTools.standing(name) ?? found)
    },
    tools: () =>
      definitions().flatMap((server) => {
        if (!server.enabled || consentProblem(server, consents.get(server.server_id))) return []
        const shown = listedTools(server.server_id).filter(({ withheld, left_out }) => !withheld && !left_out)
        return shown.map(({ tool }) => dynamicTool(server, tool, origin(server, tool), sessions(server.server_id), ports))
      }),
    standing(name) {
      const found = opened()
        .get(serverOf(name) ?? '')
        ?.main.tool(name)
      return found && inspected.of(found)
    },
  }
  return { serverTools, clear: inspected.clear }
}
