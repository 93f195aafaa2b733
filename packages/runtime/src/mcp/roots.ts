// Where a server is told that it may work: the folders of its session, and folders that the command its user said yes to names itself.
import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { McpServer } from '@tandem/contract/mcp'
import { isInside } from '../path/inside.ts'
import type { SessionPlace } from './ports.ts'

/** Servers take these instead of what their command names: without them it would name its folders in vain. What holds a server is the sandbox. */
export function rootsOf(server: McpServer, { workspace, roots }: Pick<SessionPlace, 'workspace' | 'roots'>): { readonly uri: string }[] {
  const named = server.transport === 'stdio' ? server.args.filter(isFolder) : []
  const left = roots.map((root) => resolve(workspace, root)).flatMap((root) => insideBoth(root, workspace))
  return [...new Set([...left, ...named])].map((path) => ({ uri: pathToFileURL(path).href }))
}

/** The part of the workspace that is in the root; there may be none. */
function insideBoth(root: string, workspace: string): string[] {
  if (isInside(workspace, root)) return [workspace]
  return isInside(root, workspace) ? [root] : []
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory()
  } catch {
    // It is not there, may not be looked at, or is no path at all, only long.
    return false
  }
}
