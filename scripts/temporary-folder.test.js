import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from './setup/paths.js'

let base
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'tandem-base-'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** A run whose test leaves a folder behind, and which ends with `end`. */
function run(end) {
  const script = `
    import { mkdirSync, statSync, writeFileSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import setup from ${JSON.stringify(join(root, 'scripts/temporary-folder.js'))}
    setup()
    mkdirSync(join(tmpdir(), 'tandem-left', 'behind'), { recursive: true })
    console.log(JSON.stringify({ folder: tmpdir(), mode: (statSync(tmpdir()).mode & 0o7777).toString(8) }))
    ${end}`
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: base },
  })
  return { status, seen: JSON.parse(stdout) }
}

test.each([
  ['normally', '', 0],
  ['early', 'process.exit(3)', 3],
  ['with a failure', "throw new Error('broken')", 1],
])('what tests leave behind is deleted when their run ends %s', (_how, end, code) => {
  const { status, seen } = run(end)
  expect({ status, mode: seen.mode, parent: dirname(seen.folder) }).toEqual({ status: code, mode: '1777', parent: base })
  expect(readdirSync(base)).toEqual([])
})

test('this run has such a folder', () => {
  expect((statSync(tmpdir()).mode & 0o7777).toString(8)).toBe('1777')
  expect(process.env.TMPDIR).toMatch(/t-\w{6}$/)
})

test('the processes of this run share there what Node compiled', () => {
  expect(process.env.NODE_COMPILE_CACHE).toBe(join(tmpdir(), 'node-compile-cache'))
  expect(readdirSync(process.env.NODE_COMPILE_CACHE)).not.toEqual([])
})
