import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.js'
import { say } from './say.js'

const lockfile = join(root, 'package-lock.json')
const installed = join(root, 'node_modules', '.package-lock.json')
const stamp = join(root, 'node_modules', '.tandem-lockfile')

/** Brings `node_modules` to what the lockfile says, when it is missing or older. */
export function install() {
  if (isCurrent()) return
  say(existsSync(installed) ? 'the lockfile has changed; installing' : 'first run: installing from the lockfile (about half a minute)')
  const npm = process.env.npm_execpath
  const command = npm ? [process.execPath, npm] : ['npm']
  const [file = 'npm', ...args] = [...command, 'ci', '--loglevel=error']
  const { status } = spawnSync(file, args, { cwd: root, stdio: ['ignore', 2, 2], shell: !npm && process.platform === 'win32' })
  if (status !== 0) throw new Error('npm ci failed; the lines above say why. Mend that and run the same command again')
  writeFileSync(stamp, lockfileHash())
}

function isCurrent() {
  if (!existsSync(installed)) return false
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockfileHash()
  return statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
}

function lockfileHash() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex')
}
