import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { desktopEntry, desktopPlaces, isFromCache, quoted } from './install-desktop.ts'

const program = fileURLToPath(new URL('../../bin/tandem.js', import.meta.url))
let data: string

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tandem menu ü-'))
})
afterEach(() => rmSync(data, { recursive: true }))

function tandem(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'install-desktop', ...args], {
    encoding: 'utf8',
    env: { ...process.env, XDG_DATA_HOME: data },
  })
  return { status, stdout, stderr }
}

test.each([
  [{}, '/home/me/.local/share'],
  [{ XDG_DATA_HOME: '' }, '/home/me/.local/share'],
  [{ XDG_DATA_HOME: 'relative' }, '/home/me/.local/share'],
  [{ XDG_DATA_HOME: '/data' }, '/data'],
])('%o: files are below %s', (environment, folder) => {
  expect(desktopPlaces(environment, '/home/me')).toEqual({
    entry: `${folder}/applications/tandem.desktop`,
    icon: `${folder}/icons/hicolor/512x512/apps/tandem.png`,
  })
})

test.each([
  ['/usr/bin/node', '"/usr/bin/node"'],
  ['/a b/node', '"/a b/node"'],
  ['/50%/x', '"/50%%/x"'],
  ['/a"b', '"/a\\\\"b"'],
  ['/a$b`c', '"/a\\\\$b\\\\`c"'],
  ['/a\\b', '"/a\\\\\\\\b"'],
  ['/a\nb', '"/a\\nb"'],
])('%j is quoted as %s', (word, expected) => {
  expect(quoted(word)).toBe(expected)
})

test('an entry is one line per field, whatever its paths contain', () => {
  const lines = desktopEntry(['/n\node', 'x'], '/f\nile', '/i\ncon').trimEnd().split('\n')
  expect(lines.filter((line) => !/^(?:\[Desktop Entry\]|[A-Za-z-]+=.*)$/.test(line))).toEqual([])
})

test('the entry and its icon are written, again without harm, and removed', () => {
  const { entry, icon } = desktopPlaces({ XDG_DATA_HOME: data }, '/')
  expect(tandem()).toEqual({
    status: 0,
    stdout: `Wrote ${entry}\nWrote ${icon}\nTandem is in the start menu now. Remove it with: tandem install-desktop --remove\n`,
    stderr: '',
  })
  expect(tandem().status).toBe(0)
  expect(readFileSync(entry, 'utf8')).toContain(`bin/tandem.js" "start"\nIcon=${icon}\n`)
  expect(readFileSync(entry, 'utf8')).toContain(`\nTryExec=${program}\n`)
  expect(statSync(icon).size).toBeGreaterThan(1_000)
  expect(tandem('--remove')).toEqual({ status: 0, stdout: `Removed ${entry}\nRemoved ${icon}\n`, stderr: '' })
  expect([existsSync(entry), existsSync(icon)]).toEqual([false, false])
  expect(tandem('--remove').stdout).toBe('There is no start menu entry of Tandem.\n')
})

test('an entry of another program is left alone', () => {
  const { entry } = desktopPlaces({ XDG_DATA_HOME: data }, '/')
  mkdirSync(dirname(entry), { recursive: true })
  writeFileSync(entry, '[Desktop Entry]\nName=Bicycles\n')
  for (const args of [[], ['--remove']]) expect(tandem(...args)).toMatchObject({ status: 1, stdout: '' })
  expect(readFileSync(entry, 'utf8')).toContain('Bicycles')
})

test.each([
  ['/home/me/.npm/_npx/0a1b/node_modules/tandem/packages/cli/bin/tandem.js', true],
  ['/home/me/tandem/packages/cli/bin/tandem.js', false],
  ['/usr/lib/node_modules/tandem/packages/cli/bin/tandem.js', false],
])('%s is in the cache of npx: %s', (file, is) => {
  expect(isFromCache(file)).toBe(is)
})
