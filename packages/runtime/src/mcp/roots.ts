// Where a server is told that it may work: the folder of its session, and folders that the command its user said yes to names itself.
import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { McpServer } from '@tandem/contract/mcp'

/** Servers take these instead of what their command names: without them it would name its folders in vain. What holds a server is the sandbox. */
export function rootsOf(server: McpServer, workspace: string): { readonly uri: string }[] {
  const named = server.transport === 'stdio' ? server.args.filter(isFolder) : []
  return [...new Set([workspace, ...named])].map((path) => ({ uri: pathToFileURL(path).href }))
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory()
  } catch {
    // It is not there, may not be looked at, or is no path at all, only long.
    return false
  }
}
