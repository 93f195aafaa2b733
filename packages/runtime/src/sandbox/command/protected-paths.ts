// What inside a workspace commands may read, not change: it runs when somebody next opens the folder, calls git or starts an agent. Which
// names that are is handed in; a person changes those files, or `fs.write` after asking.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isInside } from '../inside.ts'

/** How many folders directly in the workspace are looked into for repositories of their own. */
const neighbours = 200

/** Those that exist in the workspace, on the way down to the working directory, and in repositories directly below the workspace. */
export function protectedPaths(workspace: string, cwd: string, names: readonly string[]): string[] {
  const folders = new Set([...way(workspace, cwd), ...repositories(workspace)])
  return [...folders].flatMap((folder) => names.map((name) => join(folder, name)).filter((path) => existsSync(path)))
}

/** Those a command made where none were: it could not be kept from it without littering the folder, so at least it is told. */
export function newlyMade(before: readonly string[], workspace: string, cwd: string, names: readonly string[]): string[] {
  return protectedPaths(workspace, cwd, names).filter((path) => !before.includes(path))
}

function way(workspace: string, cwd: string): string[] {
  const steps = [workspace]
  if (!isInside(cwd, workspace)) return steps
  for (let folder = cwd; folder !== workspace && folder !== dirname(folder); folder = dirname(folder)) steps.push(folder)
  return steps
}

function repositories(workspace: string): string[] {
  try {
    return readdirSync(workspace, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .slice(0, neighbours)
      .map((entry) => join(workspace, entry.name))
      .filter((folder) => existsSync(join(folder, '.git')))
  } catch {
    // A folder that can't be listed by us can't be listed by the command either.
    return []
  }
}
