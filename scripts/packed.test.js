// `npm pack` for real, and what it packed as a user has it: outside of the clone, with its declared dependencies and nothing else.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testModel } from '../packages/cli/test/support/test-model.ts'
import { root } from './setup/paths.js'

const timeout = 180_000
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

let folder
let listed
let program
let model
let environment

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tandem-packed-')))
  const packing = spawnSync('npm', ['pack', '--json', '--loglevel=error', '--pack-destination', folder], { cwd: root, encoding: 'utf8' })
  expect(packing.status, packing.stderr).toBe(0)
  // The prepack script of npm prints its own command first.
  listed = JSON.parse(packing.stdout.slice(packing.stdout.search(/^\[/m)))[0]
  const packages = join(folder, 'installed', 'node_modules')
  const installed = join(packages, 'tandem')
  mkdirSync(installed, { recursive: true })
  const extracting = spawnSync('tar', ['-xzf', join(folder, listed.filename), '--strip-components=1', '-C', installed])
  expect(extracting.status).toBe(0)
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) linkPackage(packages, name)
  program = join(installed, manifest.bin.tandem)
  for (const name of ['user', 'workspace']) mkdirSync(join(folder, name))
  model = await testModel()
  const { PATH, USER } = process.env
  environment = {
    PATH,
    USER,
    TMPDIR: tmpdir(),
    HOME: join(folder, 'user'),
    TANDEM_HOME: join(folder, 'home'),
    TANDEM_MEMORY_MODEL: 'off',
    TANDEM_MODEL_URL: model.url,
    TANDEM_MODEL: 'test/scripted',
    PORT: '0',
  }
}, timeout)

afterAll(async () => {
  await model?.stop()
  rmSync(folder, { recursive: true, force: true })
}, timeout)

/** Packages for other platforms are optional, and not installed here. */
function linkPackage(packages, name) {
  const from = join(root, 'node_modules', name)
  if (!existsSync(from)) return
  mkdirSync(dirname(join(packages, name)), { recursive: true })
  symlinkSync(realpathSync(from), join(packages, name))
}

function tandem(...args) {
  const { status, stdout, stderr } = spawnTandem(args)
  return { status, stdout, stderr: stderr.replaceAll(/^tandem: warning: Tandem is running as root\..*\n/gm, '') }
}

function spawnTandem(args) {
  return spawnSync(process.execPath, [program, ...args], { cwd: join(folder, 'workspace'), env: environment, encoding: 'utf8' })
}

/** While the model of this process answers. */
function tandemWithModel(...args) {
  const child = spawn(process.execPath, [program, ...args], { cwd: join(folder, 'workspace'), env: environment })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
  }
  child.stdin.end()
  const ended = new Promise((resolve) => child.on('close', resolve))
  return { child, ended, printed: () => printed }
}

const allowed = [
  /^(?:LICENSE|README\.md|package\.json)$/,
  /^\.cache\/packed\/tandem\/[\w.-]+\.js$/,
  /^\.cache\/packed\/tandem\/(?:LICENSES\.txt|package\.json)$/,
  /^packages\/cli\/bin\/[\w-]+\.js$/,
  /^packages\/desktop\/dist\/(?:index\.html|licenses\.md|manifest\.webmanifest|[\w-]+\.(?:png|svg))$/,
  /^packages\/desktop\/dist\/assets\/[\w.-]+\.(?:js|css|woff2?|ttf)$/,
  /^packages\/desktop\/public\/icon-512\.png$/,
  /^packages\/(?:runtime\/src\/store|server\/src\/database)\/migrations\/\d{4}-[\w-]+\.sql$/,
  /^packages\/runtime\/src\/store\/schema\.sql$/,
]

test('contains the program, the window and the migrations, and nothing else', () => {
  const paths = listed.files.map(({ path }) => path)
  expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([])
  expect(paths.filter((path) => path.includes('test'))).toEqual([])
  expect(allowed.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([])
  expect(paths.filter((path) => path.endsWith('.sql')).sort()).toEqual(migrations())
  expect([listed.size < 5_000_000, listed.unpackedSize < 18_000_000]).toEqual([true, true])
})

function migrations() {
  return ['packages/runtime/src/store/migrations', 'packages/server/src/database/migrations']
    .flatMap((path) => readdirSync(join(root, path)).map((name) => `${path}/${name}`))
    .concat('packages/runtime/src/store/schema.sql')
    .sort()
}

test('contains no path of the machine it was packed on', () => {
  const installed = join(folder, 'installed', 'node_modules', 'tandem')
  const leaking = listed.files.filter(({ path }) => readFileSync(join(installed, path)).includes(root.replace(/\/$/, '')))
  expect(leaking.map(({ path }) => path)).toEqual([])
})

test('declares the dependencies of both sides, in the same versions, except those that are bundled', () => {
  const sides = ['contract', 'runtime', 'server', 'cli'].map((name) =>
    JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')),
  )
  const needed = Object.assign({}, ...sides.map(({ dependencies }) => dependencies))
  const bundled = Object.keys(needed).filter((name) => name.startsWith('@tandem/') || name === 'typebox')
  expect(manifest.dependencies).toEqual(Object.fromEntries(Object.entries(needed).filter(([name]) => !bundled.includes(name))))
  const nodes = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))
  const optional = Object.assign({}, ...sides.map(({ optionalDependencies }) => optionalDependencies))
  expect(manifest.optionalDependencies).toEqual({ ...optional, ...Object.fromEntries(nodes) })
  const licenses = readFileSync(join(dirname(program), '../../../.cache/packed/tandem/LICENSES.txt'), 'utf8')
  expect([licenses.startsWith('typebox\n'), licenses.includes('Permission is hereby granted')]).toEqual([true, true])
})

test('prints its version and its commands', { timeout }, () => {
  expect(tandem('--version')).toEqual({ status: 0, stdout: `${manifest.version}\n`, stderr: '' })
  const { status, stdout } = tandem('names', 'commands')
  expect([status, stdout.split('\n').includes('agent_run_start')]).toEqual([0, true])
})

test('runs an agent that writes a file with a command in the sandbox', { timeout }, async () => {
  model.script({ call: 'shell.exec', arguments: { command: 'echo packed > made.txt' } }, { text: 'Made.' })
  const run = tandemWithModel('run', '--yes', 'make it')
  expect([await run.ended, run.printed()]).toEqual([0, expect.stringContaining('✓ shell.exec')])
  expect(readFileSync(join(folder, 'workspace', 'made.txt'), 'utf8')).toBe('packed\n')
  // The self-test of the sandbox passed, and is remembered.
  expect(JSON.parse(readFileSync(join(folder, 'home', 'sandbox.json'), 'utf8')).report.state).toBe('enforced')
})

test('starts the server and the window, and leaves nothing in the folder it was started in', { timeout }, async () => {
  const before = readdirSync(join(folder, 'workspace'))
  const { child, ended, printed } = tandemWithModel('start', '--no-window')
  try {
    await expect.poll(printed, { timeout: 60_000 }).toContain('Press Ctrl-C to stop Tandem.')
    const [, window] = /Tandem is open at\s+(http:\/\/127\.0\.0\.1:\d+)\/#code=/.exec(printed()) ?? []
    const [, server] = /The server is at\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(printed()) ?? []
    const page = await (await fetch(`${window}/`)).text()
    const [script] = /\/assets\/[\w-]+\.js/.exec(page) ?? []
    const addresses = [`${window}${script}`, `${window}/manifest.webmanifest`, `${server}/swagger/index.html`]
    const answers = await Promise.all(addresses.map(async (address) => (await fetch(address)).status))
    expect(answers).toEqual([200, 200, 200])
  } finally {
    child.kill('SIGINT')
  }
  expect(await ended).toBe(0)
  expect(readdirSync(join(folder, 'workspace'))).toEqual(before)
  expect(existsSync(join(folder, 'home', 'server'))).toBe(true)
})
