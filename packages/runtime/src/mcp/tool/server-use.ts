// Which tools of a server are used, and by which runs. Pure.
import type { McpServer } from '@tandem/contract/mcp'
import type { ToolRefusal } from '../../call/tool.ts'

/** Whether the definition leaves out this tool: it is neither offered nor called. */
export function isLeftOut(
  { include_tools, exclude_tools }: Pick<McpServer, 'include_tools' | 'exclude_tools'>,
  remote_name: string,
): boolean {
  return (include_tools !== undefined && !include_tools.includes(remote_name)) || (exclude_tools?.includes(remote_name) ?? false)
}

export interface ServerPlace {
  /** The folder whose `.mcp.json` defines the server; null for all others. */
  readonly folder: string | null
  /** Whether that file is the one that was approved. */
  readonly is_current: boolean
  /** For a run that works in a copy of that folder: whether the copy still has that file. Null for any other run. */
  readonly copy_is_current: boolean | null
}

/** Why a run may not use the server; null if it may. The first row that applies decides. */
export function useRefusal(
  { server_id, agent_ids }: Pick<McpServer, 'server_id' | 'agent_ids'>,
  { folder, is_current, copy_is_current }: ServerPlace,
  run: { readonly agent_id: string; readonly workspace: string },
): ToolRefusal | null {
  if (agent_ids && !agent_ids.includes(run.agent_id)) {
    const remedy = `Assign ${server_id} to the agent on the page of the server, or with tandem mcp update ${server_id} --agent NAME.`
    return { reason_code: 'not_assigned', message: `the MCP server ${server_id} is not assigned to this agent`, remedy }
  }
  if (folder === null) return null
  if (folder !== run.workspace && copy_is_current === null) {
    const remedy = `Run the agent in ${folder}, or add the server for all folders with tandem mcp add.`
    return { reason_code: 'other_folder', message: `the MCP server ${server_id} belongs to the folder ${folder}`, remedy }
  }
  if (is_current && copy_is_current === false) {
    const remedy = `Undo the change of the file in the copy. To use the changed file, merge the copy, then approve it in ${folder}.`
    return {
      reason_code: 'definition_changed',
      message: `${run.workspace}/.mcp.json is not the file that was approved in ${folder}`,
      remedy,
    }
  }
  if (is_current) return null
  const remedy = `Review the servers of ${folder} on the MCP page, or with tandem mcp folder, and approve them again.`
  return { reason_code: 'definition_changed', message: `${folder}/.mcp.json has changed since ${server_id} was approved`, remedy }
}
