// The package as a user installs it: `npm install` from the registry into an empty folder, then `npx tandem`. Takes minutes and needs the
// registry, so it has its own command, npm run test:packed. `packed.test.js` tests the same program with the packages of this clone.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './setup/paths.js'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-try-')))
const app = join(folder, 'app')
for (const name of [app, join(folder, 'user')]) mkdirSync(name)
const home = join(folder, 'home')

try {
  const packed = JSON.parse(afterScripts(npm(root, 'pack', '--json', '--pack-destination', folder)))[0].filename
  npm(app, 'install', '--no-audit', '--no-fund', join(folder, packed))
  assert.equal(npx('tandem', '--version').trim(), version)
  assert.match(npx('tandem', 'names', 'commands'), /^agent_run_start$/m)
  const page = await startedWindow()
  assert.match(page, /<title>Tandem<\/title>/)
  console.log(`tandem-${version}.tgz was installed in an empty folder; npx tandem prints its version, lists its commands and starts`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function npm(cwd, ...args) {
  return run('npm', args, { cwd, env: process.env })
}

/** Never downloads anything: only what was installed counts. */
function npx(...args) {
  return run('npx', ['--no-install', ...args], { cwd: app, env: environment() })
}

function run(program, args, options) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${args.join(' ')}: ${error ?? stderr}`)
  return stdout
}

/** The prepack script of npm prints its own command first. */
function afterScripts(printed) {
  return printed.slice(printed.search(/^\[/m))
}

function environment() {
  const { PATH, USER } = process.env
  return { PATH, USER, TMPDIR: tmpdir(), HOME: join(folder, 'user'), TANDEM_HOME: home, PORT: '0' }
}

async function startedWindow() {
  const child = spawn('npx', ['--no-install', 'tandem', 'start', '--no-window'], { cwd: app, env: environment(), detached: true })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const address = await new Promise((resolve, reject) => {
      let printed = ''
      const failed = setTimeout(() => reject(new Error(`tandem start printed no address:\n${printed}`)), 120_000)
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text) => {
          printed += text
          const [, found] = /Tandem is open at\s+(http:\/\/127\.0\.0\.1:\d+)\/#code=/.exec(printed) ?? []
          if (found === undefined || !printed.includes('Press Ctrl-C')) return
          clearTimeout(failed)
          resolve(found)
        })
      }
    })
    return await (await fetch(`${address}/`)).text()
  } finally {
    // As Ctrl-C in a terminal: for npx and what it started.
    process.kill(-child.pid, 'SIGINT')
    await ended
  }
}
