import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { log } from './log.js'
import { root } from './paths.js'

const lockfile = join(root, 'package-lock.json')
/** npm writes it last; it lists what npm installed. */
const installed = join(root, 'node_modules', '.package-lock.json')
const stamp = join(root, 'node_modules', '.tandem-lockfile')

/**
 * Makes `node_modules` match the lockfile. `production` is what Tandem needs to run, including what the window is built with;
 * `everything` adds what only tests, checks and benchmarks need.
 */
export async function install(wanted, run, npm = process.env.npm_execpath) {
  const present = presentPackages()
  if (present === 'everything' || present === wanted) return
  if (!npm) throw new Error('packages are installed by the npm that runs this script. Start it through npm, for example with: npm start')
  const args = present === 'production' ? beginAddition() : beginInstallation(wanted)
  const { code, signal } = await run(npm, [...args, '--loglevel=error'])
  if (signal) throw new Error(`npm ${args[0]} was ended by ${signal}. Run the same command again`)
  if (code !== 0) throw new Error(`npm ${args[0]} failed; see the lines above. Fix the cause and run the same command again`)
  writeFileSync(stamp, lockfileHash())
}

/** `npm ci` deletes everything first. Until it has succeeded, nothing may indicate that the packages are installed. */
function beginInstallation(wanted) {
  log(existsSync(installed) ? 'the lockfile has changed: installing packages' : 'first run: installing packages, which can take a minute')
  for (const file of [stamp, installed]) rmSync(file, { force: true })
  return ['ci', wanted === 'production' ? '--omit=dev' : '--include=dev']
}

/**
 * Adds packages without touching existing ones, because a running Tandem may use them. npm treats a folder with the right version as
 * installed, so half-written packages of a killed installation are deleted first.
 */
function beginAddition() {
  log('installing the packages that tests, checks and benchmarks need')
  for (const path of developmentPaths(lockfile)) rmSync(join(root, path), { recursive: true, force: true })
  return ['install', '--no-save', '--include=dev']
}

function presentPackages() {
  if (!isCurrent()) return 'none'
  return developmentPaths(installed).length > 0 ? 'everything' : 'production'
}

function isCurrent() {
  if (!existsSync(installed)) return false
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === lockfileHash()
  return statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
}

function developmentPaths(file) {
  const { packages } = JSON.parse(readFileSync(file, 'utf8'))
  return Object.keys(packages).filter((path) => packages[path].dev)
}

function lockfileHash() {
  return createHash('sha256').update(readFileSync(lockfile)).digest('hex')
}
