// What this runtime says about itself in a handshake: its version, its tools, and the name and kind of its workspace. Never a path.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { basename, join } from 'node:path'
import { isBuilt } from '@tandem/contract/built'
import { executorProtocols, type HandshakeRequest } from '@tandem/contract/executor'
import { builtinToolNames, defaultSandboxMode } from '@tandem/contract/tool'

/** Files that tell what kind of project a folder contains. */
const markers = [
  '.git',
  'package.json',
  'tsconfig.json',
  'pyproject.toml',
  'requirements.txt',
  'Cargo.toml',
  'go.mod',
  'pom.xml',
  'build.gradle',
  'Gemfile',
  'composer.json',
  'CMakeLists.txt',
  'Makefile',
  'Dockerfile',
] as const

export async function handshakeRequest(workspace: string, version: string): Promise<HandshakeRequest> {
  const found = await Promise.all(markers.map(async (name) => ((await allows(join(workspace, name), constants.F_OK)) ? [name] : [])))
  return {
    protocols: [...executorProtocols],
    runtime: { name: 'tandem', version, os: platform(), arch: arch() },
    capabilities: builtinToolNames.filter((name) => isBuilt('tools', name)).map((name) => ({ name, version: null })),
    sandbox_mode: defaultSandboxMode,
    workspace: {
      name: basename(workspace).slice(0, 500) || 'workspace',
      markers: found.flat(),
      writable: await allows(workspace, constants.W_OK),
    },
  }
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
