import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './setup/paths.js'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-fresh-install-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The scripts that set up a clone. */
const setup = { prestart: 'npm ci --omit=dev', precheck: 'npm install --no-save' }
const install = "node -e \"console.log(process.version, (require('fs').statSync('.').mode & 0o777).toString(8))\" > ../seen-by-install"

/** A repository of one package, whose lockfile contains `locked`. */
function repository(locked, added = {}) {
  const source = join(folder, 'source')
  mkdirSync(source)
  const manifest = { name: 'tiny', version: '1.0.0', scripts: { ...setup, ...added } }
  writeFileSync(join(source, 'package.json'), JSON.stringify({ ...manifest, dependencies: { nested: 'file:nested' } }))
  mkdirSync(join(source, 'nested'))
  writeFileSync(join(source, 'nested', 'package.json'), JSON.stringify({ name: 'nested', version: '1.0.0' }))
  const packages = {
    '': { name: 'tiny', version: '1.0.0', dependencies: { nested: 'file:nested' } },
    nested: { version: '1.0.0' },
    'node_modules/nested': { resolved: 'nested', link: true },
  }
  const lockfile = { name: 'tiny', version: '1.0.0', lockfileVersion: 3, requires: true, packages: { ...packages, ...locked } }
  writeFileSync(join(source, 'package-lock.json'), JSON.stringify(lockfile))
  const git = (...args) => spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd: source })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'One')
  return source
}

function freshInstall(source) {
  const run = spawnSync(process.execPath, ['scripts/fresh-install.js', source, folder], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: folder },
  })
  return { status: run.status, said: run.stdout, report: JSON.parse(readFileSync(join(folder, 'install-report.json'), 'utf8')) }
}

test('installs in a clone of mode 0700 with the machine’s own Node, and leaves nothing behind', () => {
  const { status, said, report } = freshInstall(repository({}, { postinstall: install }))
  expect({ status, report }).toEqual({ status: 0, report: { passed: 3, failed: 0 } })
  const [version, mode] = readFileSync(join(folder, 'seen-by-install'), 'utf8').trim().split(' ')
  expect([said.includes(`setup of npm start in a fresh clone, Node ${version.slice(1)} `), mode]).toEqual([true, '700'])
  // Not the pinned Node that this test runs on: the first one on the path outside node_modules.
  const places = (process.env.PATH ?? '').split(delimiter).filter((place) => !place.includes('node_modules'))
  const own = spawnSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH: places.join(delimiter) } })
  expect(version).toBe(own.stdout.trim())
}, 60_000)

test('a lockfile that does not match the manifest fails, with the reason', () => {
  const { status, said, report } = freshInstall(repository({ nested: undefined, 'node_modules/nested': undefined }))
  expect(status).toBe(1)
  expect(report.failed).toBeGreaterThan(0)
  expect(said).toMatch(/FAIL {2}setup of npm start[\s\S]*package-lock\.json/)
}, 60_000)

test('a repository that cannot be cloned is one failure', () => {
  const { status, said, report } = freshInstall(folder)
  expect({ status, report }).toEqual({ status: 1, report: { passed: 0, failed: 1 } })
  expect(said).toContain('FAIL  a fresh clone')
}, 60_000)
