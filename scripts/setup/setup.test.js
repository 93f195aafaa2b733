// `setup.js` as real processes, in a folder with a copy of these scripts and an npm that only records its calls.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './paths.js'

let clone
let npm
let children

/** Records its arguments, waits while `hold` exists, and installs as npm does: the list of packages is written last. */
const ownNpm = `
const { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs')
const asked = process.argv.slice(2).join(' ')
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
const wanted = Object.entries(packages).filter(([, one]) => !(one.dev && asked.includes('--omit=dev')))
mkdirSync('node_modules', { recursive: true })
if (asked.startsWith('ci')) for (const name of readdirSync('node_modules')) if (name[0] !== '.') rmSync('node_modules/' + name, { recursive: true })
for (const [path] of wanted) {
  if (existsSync(path)) continue
  mkdirSync(path)
  writeFileSync(path + '/half', '')
}
appendFileSync('log', process.pid + ' begins ' + asked + '\\n')
while (existsSync('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
for (const [path] of wanted) if (existsSync(path + '/half')) writeFileSync(path + '/whole', '')
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }))
appendFileSync('log', process.pid + ' ends\\n')
`

beforeEach(() => {
  clone = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-setup-')))
  children = []
  npm = join(clone, 'npm-cli.cjs')
  writeFileSync(npm, ownNpm)
  lockfile('1.0.0')
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }')
  for (const path of ['scripts/setup.js', 'scripts/setup', 'packages/cli/bin']) {
    mkdirSync(dirname(join(clone, path)), { recursive: true })
    cpSync(join(root, path), join(clone, path), { recursive: true })
  }
  writeFileSync(join(clone, 'scripts', 'only-packages.js'), onlyPackages)
})
afterEach(async () => {
  for (const { child } of children) child.kill('SIGKILL')
  for (const pid of said('begins').map((line) => Number.parseInt(line, 10))) killIfRunning(pid)
  await Promise.all(children.map(({ ended }) => ended))
  rmSync(clone, { recursive: true })
})

/** `npm start` builds more than packages; this is the part that installs. */
const onlyPackages = `
import { install } from './setup/install.js'
import { withLock } from './setup/lock.js'
await withLock((run) => install('production', run), 'npm run start')
`

/** One package that Tandem needs to run, one that only tests need. */
function lockfile(version) {
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({ packages: { 'node_modules/product': { version }, 'node_modules/tester': { version, dev: true } } }),
  )
}

function setUp(purpose, npm_execpath = npm) {
  const args = purpose === 'start' ? ['scripts/only-packages.js'] : ['scripts/setup.js', purpose]
  const child = spawn(process.execPath, args, {
    cwd: clone,
    env: { ...process.env, npm_execpath },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  child.stderr.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  // Not when its pipe closes: an npm that outlives it has the other end.
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
  const one = { child, ended, text: () => text }
  children.push(one)
  return one
}

const hold = () => writeFileSync(join(clone, 'hold'), '')
const release = () => rmSync(join(clone, 'hold'))
const has = (path) => existsSync(join(clone, path))

function said(word) {
  return has('log')
    ? readFileSync(join(clone, 'log'), 'utf8')
        .split('\n')
        .filter((line) => line.includes(word))
    : []
}

/** The arguments and ends of npm, without its pids. */
const log = () => said(' ').map((line) => line.replace(/^\d+ /, ''))

const first = 'ci --include=dev --loglevel=error'

function killIfRunning(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

test('two commands at once: one installs, the other reports what it waits for and uses the result', async () => {
  hold()
  const one = setUp('check')
  await expect.poll(log).toEqual([`begins ${first}`])
  const other = setUp('check')
  await expect.poll(other.text).toMatch(/waiting for .*npm run check.* \(process \d+\) to finish setting up this clone/)
  release()
  expect([await one.ended, await other.ended]).toEqual([
    { code: 0, signal: null },
    { code: 0, signal: null },
  ])
  expect(log()).toEqual([`begins ${first}`, 'ends'])
})

test('a command is killed during npm ci: the next one waits for the npm that still runs, and uses the result', async () => {
  hold()
  const killed = setUp('check')
  await expect.poll(log).toEqual([`begins ${first}`])
  killed.child.kill('SIGKILL')
  await killed.ended
  const next = setUp('check')
  const [npmProcess] = said('begins').map((line) => Number.parseInt(line, 10))
  await expect.poll(next.text).toContain(`waiting for the installation started by npm run check (process ${npmProcess}) to finish`)
  release()
  expect(await next.ended).toEqual({ code: 0, signal: null })
  expect(log()).toEqual([`begins ${first}`, 'ends'])
  expect(has('node_modules/tester/whole')).toBe(true)
})

test('a command and its npm are killed: the next one installs from scratch', async () => {
  hold()
  const killed = setUp('check')
  await expect.poll(log).toEqual([`begins ${first}`])
  killed.child.kill('SIGKILL')
  killIfRunning(Number.parseInt(said('begins')[0], 10))
  await killed.ended
  release()
  expect(await setUp('check').ended).toEqual({ code: 0, signal: null })
  expect(log()).toEqual([`begins ${first}`, `begins ${first}`, 'ends'])
  expect(has('node_modules/tester/whole')).toBe(true)
})

test('an installation that was killed is not mistaken for the one before it', async () => {
  expect(await setUp('check').ended).toEqual({ code: 0, signal: null })
  lockfile('2.0.0')
  hold()
  const killed = setUp('check')
  await expect.poll(log).toEqual([`begins ${first}`, 'ends', `begins ${first}`])
  killed.child.kill('SIGKILL')
  killIfRunning(Number.parseInt(said('begins')[1], 10))
  await killed.ended
  release()
  lockfile('1.0.0')
  expect(await setUp('check').ended).toEqual({ code: 0, signal: null })
  expect(log().slice(3)).toEqual([`begins ${first}`, 'ends'])
})

test('npm is killed: the command reports it, and the next one installs', async () => {
  hold()
  const one = setUp('check')
  await expect.poll(log).toEqual([`begins ${first}`])
  killIfRunning(Number.parseInt(said('begins')[0], 10))
  expect(await one.ended).toEqual({ code: 1, signal: null })
  expect(one.text()).toContain('npm ci was ended by SIGKILL. Run the same command again')
  release()
  expect(await setUp('check').ended).toEqual({ code: 0, signal: null })
  expect(has('node_modules/tester/whole')).toBe(true)
})

test.each([
  ['starts when its command confirms that it is recorded', 'begin', 0, ['begins ci', 'ends']],
  ['does not start if its command was killed before that', '', 1, []],
])('npm %s', async (_what, word, code, noted) => {
  const gate = spawn(process.execPath, [join(clone, 'scripts/setup/deferred-script.js'), npm, 'ci'], {
    cwd: clone,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  gate.stdin.end(word)
  expect([await once(gate, 'exit'), log()]).toEqual([[code, null], noted])
})

test.each([
  ['start, check', ['ci --omit=dev', 'install --no-save --include=dev']],
  ['check, start', ['ci --include=dev']],
  ['start, start', ['ci --omit=dev']],
  ['start, check, start, check', ['ci --omit=dev', 'install --no-save --include=dev']],
])('%s: each package is installed once, and only when it is needed', async (purposes, asked) => {
  for (const purpose of purposes.split(', ')) {
    expect(await setUp(purpose).ended).toEqual({ code: 0, signal: null })
    expect([has('node_modules/product/whole'), has('node_modules/tester/whole')]).toEqual([
      true,
      purposes.startsWith('check') || log().length > 2,
    ])
  }
  expect(log()).toEqual(asked.flatMap((args) => [`begins ${args} --loglevel=error`, 'ends']))
})

test('half-written packages of a killed installation are installed again, and nothing else is touched', async () => {
  await setUp('start').ended
  writeFileSync(join(clone, 'node_modules/product/in-use'), '')
  hold()
  const killed = setUp('check')
  await expect.poll(() => has('node_modules/tester/half')).toBe(true)
  await expect.poll(() => said('begins').length).toBe(2)
  killed.child.kill('SIGKILL')
  killIfRunning(Number.parseInt(said('begins')[1], 10))
  await killed.ended
  writeFileSync(join(clone, 'node_modules/tester/left-by-the-killed'), '')
  release()
  expect(await setUp('check').ended).toEqual({ code: 0, signal: null })
  expect([has('node_modules/tester/whole'), has('node_modules/tester/left-by-the-killed'), has('node_modules/product/in-use')]).toEqual([
    true,
    false,
    true,
  ])
})

test('without npm as its parent, it reports how to start it', async () => {
  const one = setUp('check', '')
  expect(await one.ended).toEqual({ code: 1, signal: null })
  expect(one.text()).toContain('Start it through npm, for example with: npm start')
})
