// What this host provides for skills. It only checks; nothing is executed.
import { constants } from 'node:fs'
import { access, glob, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import type { HostSystem } from '@tandem/contract/skill'
import type { SandboxMode } from '@tandem/contract/tool'

export interface HostContext {
  readonly platform: NodeJS.Platform
  readonly user_home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspace: string | null
  readonly sandbox_mode: SandboxMode
  /** The last remote executor that was negotiated with, if any. */
  readonly executor: { readonly protocol: string; readonly capabilities: readonly string[] } | null
}

/** Results are cached: all skills of one scan share a host. */
export interface Host extends Pick<HostContext, 'sandbox_mode' | 'executor' | 'workspace'> {
  readonly system: HostSystem | null
  hasVariable(name: string): boolean
  hasBinary(name: string): Promise<boolean>
  /** Relative paths are looked up next to the skill, then in the workspace. */
  hasPath(path: string, folder: string): Promise<boolean>
  hasMarker(pattern: string): Promise<boolean>
  canWriteWorkspace(): Promise<boolean>
  hasContainers(): Promise<boolean>
  hasVirtualenv(): Promise<boolean>
}

const systems: Partial<Record<NodeJS.Platform, HostSystem>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

export function openHost(circumstances: HostContext): Host {
  const { platform, user_home, environment, workspace, sandbox_mode, executor } = circumstances
  const remembered = new Map<string, Promise<boolean>>()
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute)
  const endings = platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : ['']

  function once(key: string, look: () => Promise<boolean>): Promise<boolean> {
    const known = remembered.get(key) ?? look()
    remembered.set(key, known)
    return known
  }

  async function isProgram(name: string): Promise<boolean> {
    if (!/^[\w.+-]+$/.test(name)) return false
    for (const folder of folders) {
      for (const ending of endings) if (await isRunnable(join(folder, `${name}${ending}`))) return true
    }
    return false
  }

  async function isThere(path: string, folder: string): Promise<boolean> {
    if (path.includes('\0')) return false
    if (path.startsWith('~/')) return exists(join(user_home, path.slice(2)))
    if (isAbsolute(path)) return exists(path)
    return (await exists(join(folder, path))) || (workspace !== null && (await exists(join(workspace, path))))
  }

  const host: Host = {
    sandbox_mode,
    executor,
    workspace,
    system: systems[platform] ?? null,
    hasVariable: (name) => (environment[name] ?? '') !== '',
    hasBinary: (name) => once(`binary ${name}`, () => isProgram(name)),
    hasPath: (path, folder) => once(`path ${isAbsolute(path) || path.startsWith('~') ? '' : folder} ${path}`, () => isThere(path, folder)),
    hasMarker: (pattern) => once(`marker ${pattern}`, () => isMarked(workspace, pattern)),
    canWriteWorkspace: () => once('write', async () => workspace !== null && (await allows(workspace, constants.W_OK))),
    hasContainers: () => once('container', async () => (await host.hasBinary('docker')) || (await host.hasBinary('podman'))),
    hasVirtualenv: () =>
      once('virtualenv', async () => {
        if (host.hasVariable('VIRTUAL_ENV') || host.hasVariable('CONDA_PREFIX')) return true
        return workspace !== null && (await exists(join(workspace, '.venv', 'pyvenv.cfg')))
      }),
  }
  return host
}

/** A marker is in the workspace; a pattern that leads outside matches nothing. */
async function isMarked(workspace: string | null, pattern: string): Promise<boolean> {
  if (workspace === null || isAbsolute(pattern) || pattern.includes('\0') || pattern.split(/[\\/]/).includes('..')) return false
  if (!/[*?[\]{}]/.test(pattern)) return exists(join(workspace, pattern))
  // A recursive pattern could scan a whole disk.
  if (pattern.includes('**')) return false
  for await (const _ of glob(pattern, { cwd: workspace })) return true
  return false
}

async function isRunnable(path: string): Promise<boolean> {
  return (await allows(path, constants.X_OK)) && (await stat(path)).isFile()
}

async function exists(path: string): Promise<boolean> {
  return allows(path, constants.F_OK)
}

async function allows(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    // Missing or not accessible: both mean no.
    return false
  }
}
