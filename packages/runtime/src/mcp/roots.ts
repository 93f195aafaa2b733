// The roots of a server: the folders of its session, and folders in the command that its user approved.
import { statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { McpServer } from '@tandem/contract/mcp'
import { isInside } from '../path/inside.ts'
import type { SessionScope } from './ports.ts'

/** Servers use these instead of the folders in their command, so those are included. What restricts a server is the sandbox. */
export function rootsOf(server: McpServer, { workspace, roots }: Pick<SessionScope, 'workspace' | 'roots'>): { readonly uri: string }[] {
  const named = server.transport === 'stdio' ? server.args.filter(isFolder) : []
  const left = roots.map((root) => resolve(workspace, root)).flatMap((root) => insideBoth(root, workspace))
  return [...new Set([...left, ...named])].map((path) => ({ uri: pathToFileURL(path).href }))
}

/** The part of the workspace inside the root; there may be none. */
function insideBoth(root: string, workspace: string): string[] {
  if (isInside(workspace, root)) return [workspace]
  return isInside(root, workspace) ? [root] : []
}

function isFolder(path: string): boolean {
  try {
    return isAbsolute(path) && statSync(path).isDirectory()
  } catch {
    // It does not exist, is not accessible, or is not a path, only long.
    return false
  }
}
