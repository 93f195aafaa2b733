// A program that a test starts many times, bundled as `tandem` is: from the sources, most of the time of each start is spent on loading.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from 'vitest'

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const script = fileURLToPath(new URL('../../../../scripts/setup/bundle-test-program.js', import.meta.url))

export interface BundledProgram {
  readonly path: string
  /** For the variable NODE_COMPILE_CACHE. */
  readonly compiled: string
}

/** For the tests of the file; `path` is relative to this folder. */
export function useBundledProgram(path: string): BundledProgram {
  const bundled = join(root, '.cache', 'bundled')
  mkdirSync(bundled, { recursive: true })
  // Setup deletes old folders with this beginning, should one be left.
  const folder = mkdtempSync(join(bundled, 'tandem.test-'))
  beforeAll(() => {
    execFileSync(process.execPath, [script, `packages/runtime/test/support/${path}`, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { path: join(folder, 'main.js'), compiled: join(folder, 'compiled') }
}
