import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.js'
import { say } from './say.js'

const desktop = join(root, 'packages', 'desktop')
const built = join(desktop, 'dist', 'index.html')
const sources = [
  join(desktop, 'src'),
  join(desktop, 'public'),
  join(desktop, 'index.html'),
  join(desktop, 'vite.config.ts'),
  join(desktop, 'package.json'),
  join(root, 'packages', 'contract', 'src'),
  join(root, 'package-lock.json'),
]

/** Builds the window's assets when they are missing or older than what they are made of. */
export function buildWindow() {
  if (existsSync(built) && sources.every((source) => newest(source) <= statSync(built).mtimeMs)) return
  say('building the window')
  const bin = join(root, 'node_modules', '.bin')
  const separator = process.platform === 'win32' ? ';' : ':'
  const { status, stdout, stderr } = spawnSync(join(bin, 'vite'), ['build', '--logLevel', 'warn'], {
    cwd: desktop,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH}` },
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`the window could not be built:\n${stdout}${stderr}`)
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
