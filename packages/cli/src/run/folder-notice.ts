// One line about the servers in the .mcp.json of a folder, until the user has decided about them.
import { realpathSync } from 'node:fs'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { escapeControls } from '../terminal/terminal-text.ts'

/** Null if there is nothing to decide. A folder that cannot be read has none. */
export async function folderNotice(client: RuntimeClient, workspace: string): Promise<string | null> {
  if (workspace === '') return null
  const read = await client.call('mcp_folder_get', { workspace })
  if (!read.ok) return null
  const { state, servers, file, folder } = read.value.folder
  if (servers.length === 0 || (state !== 'new' && state !== 'changed')) return null
  const number = servers.length === 1 ? '1 MCP server' : `${servers.length} MCP servers`
  const what =
    state === 'new'
      ? `${escapeControls(file)} has ${number}, not used until you approve`
      : `${escapeControls(file)} has changed: its MCP servers are not used`
  return `${what}. Review: tandem mcp folder${folder === realpathSync('.') ? '' : ` ${escapeControls(folder)}`}`
}
