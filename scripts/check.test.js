// Each check finds what it is for: a copy of a part of the repository, with one mistake of each kind.
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './setup/paths.js'

test('an error in types, format, exports, boundary, reference, wording and paths each fails its check', {
  timeout: 600_000,
}, () => {
  const copy = copyOfRepository()
  try {
    appendFileSync(join(copy, 'packages/server/src/http/id.ts'), "\nexport const neverImported: number = 'text'\n")
    appendFileSync(join(copy, 'packages/server/src/version.ts'), "\nimport '../../runtime/src/runtime.ts'\n")
    appendFileSync(join(copy, 'packages/server/src/http/id.ts'), 'const   badly = "formatted";\n')
    appendFileSync(join(copy, 'docs/reference.md'), 'written by hand\n')
    appendFileSync(join(copy, 'docs/glossary.md'), 'It can not be found in `run/gone.ts`.\n')
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check.js'], { cwd: copy, encoding: 'utf8' })
    expect(status).toBe(1)
    const verdicts = Object.fromEntries(
      [...stdout.matchAll(/^(ok|FAIL) +(.+?) {2}[\d.]+ s$/gm)].map(([, verdict, name]) => [name, verdict]),
    )
    expect(verdicts).toEqual({
      'types of the contract': 'ok',
      // Not in the copy.
      'types of the window': 'FAIL',
      'types of everything else': 'FAIL',
      style: 'FAIL',
      'unused code': 'FAIL',
      boundary: 'FAIL',
      reference: 'FAIL',
      wording: 'FAIL',
      // Not in the copy.
      'schema of the local database': 'FAIL',
      'paths in documents': 'FAIL',
    })
    expect(stdout).toContain("Type 'string' is not assignable to type 'number'")
    expect(stdout).toContain('server-never-imports-the-runtime')
    expect(stdout).toContain('Run npm run reference')
    expect(stdout).toMatch(/^docs\/glossary\.md:\d+: "can not": write cannot$/m)
    expect(stdout).toMatch(/^docs\/glossary\.md:\d+: run\/gone\.ts does not exist$/m)
    expect(stdout).toMatch(/^neverImported .*packages\/server\/src\/http\/id\.ts/m)
  } finally {
    rmSync(copy, { recursive: true })
  }
})

/** The server, what it imports, and what the checks themselves are made of: enough for each kind of mistake, and a quarter of the time. */
const copied =
  /^(?:packages\/(?:contract|server)|scripts|docs)\/|^packages\/runtime\/src\/(?:runtime|workflow\/text\/[\w-]+)\.ts$|^packages\/\w+\/package\.json$|^[^/]+$/
const isTest = /^packages\/\w+\/test\/|\.test\.[jt]sx?$/

/** With the packages that are installed here. */
function copyOfRepository() {
  const copy = mkdtempSync(join(tmpdir(), 'tandem-check-'))
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of stdout.split('\0').filter((name) => copied.test(name) && !isTest.test(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  spawnSync('git', ['init', '-q'], { cwd: copy })
  return copy
}
