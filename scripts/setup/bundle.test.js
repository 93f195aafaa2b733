import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bundledProgram, fingerprintOf, packedProgram } from '../../packages/cli/bin/program.js'

let root

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tandem-bundle-'))
  mkdirSync(join(root, '.cache', 'bundled', 'tandem-1'), { recursive: true })
  writeFileSync(join(root, 'a.ts'), 'export const a = 1\n')
  writeFileSync(join(root, 'b.ts'), 'export const b = 2\n')
  writeFileSync(join(root, '.cache', 'bundled', 'tandem-1', 'main.js'), '')
  keep(JSON.stringify({ folder: 'tandem-1', sources: ['a.ts', 'b.ts'].map((path) => fingerprintOf(root, path)) }))
})
afterEach(() => rmSync(root, { recursive: true }))

const keep = (text) => writeFileSync(join(root, '.cache', 'bundled', 'tandem.json'), text)

test('a program whose sources are unchanged is used', () => {
  expect(bundledProgram(root)).toBe(pathToFileURL(join(root, '.cache', 'bundled', 'tandem-1', 'main.js')).href)
})

test.each([
  ['a source has changed', () => writeFileSync(join(root, 'a.ts'), 'export const a = 10\n')],
  ['a source of the same length has changed', () => writeFileSync(join(root, 'a.ts'), 'export const a = 3\n')],
  [
    'a source has changed and its old time was set',
    () => {
      const [, , mtimeMs] = fingerprintOf(root, 'a.ts')
      writeFileSync(join(root, 'a.ts'), 'export const a = 3\n')
      utimesSync(join(root, 'a.ts'), mtimeMs / 1_000, mtimeMs / 1_000)
    },
  ],
  ['a source is missing', () => rmSync(join(root, 'b.ts'))],
  ['the program is missing', () => rmSync(join(root, '.cache', 'bundled', 'tandem-1', 'main.js'))],
  ['there is no bundle', () => rmSync(join(root, '.cache'), { recursive: true })],
  ['the manifest is truncated', () => keep('{"folder":"tandem-1","sour')],
  ['the manifest is empty', () => keep('{}')],
])('the sources are run when %s', (_why, happened) => {
  happened()
  expect(bundledProgram(root)).toBe(undefined)
})

test.each([
  ['only the packed program exists', ['.cache/packed/tandem/main.js'], true],
  ['the sources exist too', ['.cache/packed/tandem/main.js', 'packages/cli/src/main.ts'], false],
  ['nothing is packed', [], false],
])('whether the packed program is used when %s', (_when, files, isUsed) => {
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '')
  }
  expect(packedProgram(root)).toBe(isUsed ? pathToFileURL(join(root, '.cache', 'packed', 'tandem', 'main.js')).href : undefined)
})
