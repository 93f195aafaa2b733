// What this host provides for skills. It only looks; nothing is executed.
import { constants } from 'node:fs'
import { access, glob, readFile, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { delimiter, isAbsolute, join } from 'node:path'
import type { ListedExecutor } from '@tandem/contract/executor'
import type { HostSystem } from '@tandem/contract/skill'
import type { SandboxMode } from '@tandem/contract/tool'

export interface HostContext {
  readonly platform: NodeJS.Platform
  readonly user_home: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workspace: string | null
  readonly sandbox_mode: SandboxMode
  /** With what the last negotiation with each of them found. */
  readonly executors: readonly ListedExecutor[]
}

/** Where something was found; null if it was not. */
export type Found = string | null

/** Results are cached: all skills of one scan share a host. */
export interface Host extends Pick<HostContext, 'sandbox_mode' | 'executors' | 'workspace'> {
  readonly system: HostSystem | null
  hasVariable(name: string): boolean
  binary(name: string): Promise<Found>
  /** Relative paths are looked up next to the skill, then in the workspace. */
  path(path: string, folder: string): Promise<Found>
  marker(pattern: string): Promise<Found>
  canWriteWorkspace(): Promise<boolean>
  /** The program that can run containers. */
  containers(): Promise<Found>
  /** The folder of the virtual environment. */
  virtualenv(): Promise<Found>
}

const systems: Partial<Record<NodeJS.Platform, HostSystem>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' }

export function openHost(circumstances: HostContext): Host {
  const { platform, user_home, environment, workspace, sandbox_mode, executors } = circumstances
  const remembered = new Map<string, Promise<Found>>()
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute)
  const endings = platform === 'win32' ? (environment.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : ['']

  function once(key: string, look: () => Promise<Found>): Promise<Found> {
    const known = remembered.get(key) ?? look()
    remembered.set(key, known)
    return known
  }

  async function findProgram(name: string): Promise<Found> {
    if (!/^[\w.+-]+$/.test(name)) return null
    for (const folder of folders) {
      for (const ending of endings) {
        const path = join(folder, `${name}${ending}`)
        if (await isRunnable(path)) return path
      }
    }
    return null
  }

  async function findPath(path: string, folder: string): Promise<Found> {
    if (path.includes('\0')) return null
    if (path.startsWith('~/')) return existing([join(user_home, path.slice(2))])
    if (isAbsolute(path)) return existing([path])
    return existing([join(folder, path), ...(workspace === null ? [] : [join(workspace, path)])])
  }

  /** A program alone runs no container: docker needs its service, podman needs user namespaces. */
  async function findContainers(): Promise<Found> {
    const docker = await host.binary('docker')
    if (docker !== null && (await answers(dockerSocket(environment, platform)))) return docker
    const podman = await host.binary('podman')
    return podman !== null && (platform !== 'linux' || (await hasUserNamespaces())) ? podman : null
  }

  /** The active environment, or the one of the workspace. One whose Python was removed is none. */
  async function findVirtualenv(): Promise<Found> {
    const { VIRTUAL_ENV = '', CONDA_PREFIX = '' } = environment
    const own = workspace === null ? [] : ['.venv', 'venv'].map((name) => join(workspace, name))
    for (const folder of [VIRTUAL_ENV, ...own]) {
      if (isAbsolute(folder) && (await isVirtualenv(folder, platform))) return folder
    }
    return isAbsolute(CONDA_PREFIX) && (await exists(join(CONDA_PREFIX, 'conda-meta'))) ? CONDA_PREFIX : null
  }

  const host: Host = {
    sandbox_mode,
    executors,
    workspace,
    system: systems[platform] ?? null,
    hasVariable: (name) => (environment[name] ?? '') !== '',
    binary: (name) => once(`binary ${name}`, () => findProgram(name)),
    path: (path, folder) => once(`path ${isAbsolute(path) || path.startsWith('~') ? '' : folder} ${path}`, () => findPath(path, folder)),
    marker: (pattern) => once(`marker ${pattern}`, () => findMarker(workspace, pattern)),
    canWriteWorkspace: async () =>
      (await once('write', async () => (workspace !== null && (await allows(workspace, constants.W_OK)) ? workspace : null))) !== null,
    containers: () => once('container', findContainers),
    virtualenv: () => once('virtualenv', findVirtualenv),
  }
  return host
}

/** A marker is in the workspace; a pattern that leads outside matches nothing. */
async function findMarker(workspace: string | null, pattern: string): Promise<Found> {
  if (workspace === null || isAbsolute(pattern) || pattern.includes('\0') || pattern.split(/[\\/]/).includes('..')) return null
  if (!/[*?[\]{}]/.test(pattern)) return (await exists(join(workspace, pattern))) ? pattern : null
  // A recursive pattern could scan a whole disk.
  if (pattern.includes('**')) return null
  for await (const found of glob(pattern, { cwd: workspace })) return found
  return null
}

/** Null if the service is on another machine, which is not contacted. */
function dockerSocket({ DOCKER_HOST = '' }: HostContext['environment'], platform: NodeJS.Platform): string | null {
  if (DOCKER_HOST.startsWith('unix://')) return DOCKER_HOST.slice('unix://'.length)
  if (DOCKER_HOST !== '') return null
  return platform === 'win32' ? '\\\\.\\pipe\\docker_engine' : '/var/run/docker.sock'
}

/** Whether a service accepts connections. Nothing is sent. */
function answers(socketPath: string | null): Promise<boolean> {
  if (socketPath === null) return Promise.resolve(false)
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(1_000, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}

async function hasUserNamespaces(): Promise<boolean> {
  try {
    return Number(await readFile('/proc/sys/user/max_user_namespaces', 'utf8')) > 0
  } catch {
    // A kernel without them.
    return false
  }
}

async function isVirtualenv(folder: string, platform: NodeJS.Platform): Promise<boolean> {
  const python = platform === 'win32' ? join('Scripts', 'python.exe') : join('bin', 'python')
  return (await exists(join(folder, 'pyvenv.cfg'))) && (await isRunnable(join(folder, python)))
}

async function existing(paths: readonly string[]): Promise<Found> {
  for (const path of paths) if (await exists(path)) return path
  return null
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
