import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { log } from './log.js'
import { root } from './paths.js'

const desktop = join(root, 'packages', 'desktop')
const dist = join(desktop, 'dist')
const built = join(dist, 'index.html')
const cache = join(root, '.cache')
const sources = [
  join(desktop, 'src'),
  join(desktop, 'public'),
  join(desktop, 'index.html'),
  join(desktop, 'vite.config.ts'),
  join(desktop, 'package.json'),
  join(root, 'packages', 'contract', 'src'),
  join(root, 'docs', 'reference', 'workflow.schema.json'),
  join(root, 'package-lock.json'),
]

/**
 * Builds the window's assets if they are missing or older than their sources. They are built in a separate folder and moved
 * when they are complete: a killed build leaves nothing that looks complete.
 */
export function buildWindow() {
  if (existsSync(built) && sources.every((source) => newest(source) <= statSync(built).mtimeMs)) return
  log('building the window')
  for (const name of readdirSync(cache).filter((name) => name.startsWith('window.'))) {
    rmSync(join(cache, name), { recursive: true, force: true, maxRetries: 3 })
  }
  const arriving = join(cache, `window.${process.pid}`)
  const bin = join(root, 'node_modules', '.bin')
  const separator = process.platform === 'win32' ? ';' : ':'
  const { status, stdout, stderr } = spawnSync(
    join(bin, 'vite'),
    ['build', '--outDir', relative(desktop, arriving), '--emptyOutDir', '--logLevel', 'warn'],
    {
      cwd: desktop,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH}` },
      shell: process.platform === 'win32',
    },
  )
  if (status !== 0) throw new Error(`the window could not be built:\n${stdout}${stderr}`)
  rmSync(dist, { recursive: true, force: true })
  renameSync(arriving, dist)
}

function newest(path) {
  if (!existsSync(path)) return 0
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return readdirSync(path, { withFileTypes: true }).reduce(
    (latest, entry) => Math.max(latest, newest(join(path, entry.name))),
    stats.mtimeMs,
  )
}
