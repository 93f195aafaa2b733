// Each rule is broken on purpose in a temporary copy of the packages, one at a time. Its modules are empty, because only the module that breaks
// the rule is to be read.
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkBoundary } from './boundary.js'
import { evaluatingCalls, importRules } from './boundary-rules.js'
import { layeredPackages, layerViolations } from './layers.js'
import { root } from './setup/paths.js'

const breaches = {
  'contract-imports-nothing-of-ours': { 'packages/contract/src/sync/breach.ts': "import '../../../server/src/main.ts'" },
  'contract-loads-in-a-browser': {
    'packages/contract/src/sync/breach.ts': "import { readFileSync } from 'node:fs'\nexport { readFileSync }",
  },
  'server-never-imports-the-runtime': {
    'packages/server/src/breach.ts': "import type { Runtime } from '../../runtime/src/runtime.ts'\nexport type { Runtime }",
  },
  'server-never-executes': { 'packages/server/src/breach.ts': "export const run = () => import('node:child_process')" },
  'server-finds-postgres-without-running-it': {
    'packages/server/src/database/postgres-binaries.ts': "import { spawn } from 'node:child_process'\nexport { spawn }",
  },
  'server-workers-run-the-server-alone': {
    'packages/server/src/workers.ts': "import { spawn } from 'node:child_process'\nexport { spawn }",
  },
  [evaluatingCalls.name]: { 'packages/server/src/breach.ts': "export const run = () => process.getBuiltinModule('child_process')" },
  'runtime-knows-only-the-contract': { 'packages/runtime/src/host/breach.ts': "import '@tandem/server'" },
  'desktop-reaches-the-runtime-by-commands': { 'packages/desktop/src/breach.ts': "import '@tandem/runtime'" },
  'cli-enters-by-the-front-door': {
    'packages/cli/src/breach.ts': "import '../../runtime/src/store/inner.ts'",
    'packages/runtime/src/store/inner.ts': 'export {}',
  },
  'nobody-imports-the-cli': { 'packages/desktop/src/breach.ts': "import '../../cli/src/main.ts'" },
  'sqlite-only-in-the-store': {
    'packages/runtime/src/journal/breach.ts': "import { DatabaseSync } from 'node:sqlite'\nexport { DatabaseSync }",
  },
  'recall-index-only-in-its-thread': {
    'packages/runtime/src/recall/breach.ts': "import './index/inner.ts'",
    'packages/runtime/src/recall/index/inner.ts': 'export {}',
  },
  'knowledge-index-only-in-its-thread': {
    'packages/runtime/src/kb/breach.ts': "import './index/inner.ts'",
    'packages/runtime/src/kb/index/inner.ts': 'export {}',
  },
  'product-never-imports-tests': {
    'packages/server/src/breach.ts': "import './breach.test.ts'",
    'packages/server/src/breach.test.ts': 'export {}',
  },
  'no-circles': { 'packages/server/src/one.ts': "import './two.ts'", 'packages/server/src/two.ts': "import './one.ts'" },
  ...Object.assign({}, ...Object.entries(layeredPackages).map(([name, table]) => layerViolations(name, table))),
}

/** Each package that executes, distinguished from the builtins above. */
const executors = [
  'node:vm',
  'node:worker_threads',
  'child_process',
  '@modelcontextprotocol/sdk/client/index.js',
  'playwright-core',
  'puppeteer-core',
]

const emptyModule = 'export {}\n'

let copy
const written = []

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'tandem-boundary-'))
  for (const name of ['contract', 'server', 'runtime', 'desktop', 'cli']) {
    for (const file of globSync(`packages/${name}/{package.json,{src,bin,test}/**/*.{ts,tsx,js}}`, { cwd: root })) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      if (file.endsWith('.json')) cpSync(join(root, file), join(copy, file))
      else writeFileSync(join(copy, file), emptyModule)
    }
  }
  mkdirSync(join(copy, 'node_modules', '@tandem'), { recursive: true })
  for (const name of ['contract', 'server', 'runtime'])
    symlinkSync(join(copy, 'packages', name), join(copy, 'node_modules', '@tandem', name))
  symlinkSync(join(root, 'node_modules', 'typebox'), join(copy, 'node_modules', 'typebox'))
})

afterEach(() => {
  for (const path of written.splice(0)) {
    const original = join(root, path.slice(copy.length))
    if (existsSync(original)) writeFileSync(path, emptyModule)
    else rmSync(path)
  }
})
afterAll(() => rmSync(copy, { recursive: true }))

describe('the boundary', () => {
  test('has no violation in the repository, and the checker saw every module', async () => {
    const { violations, seen, unseen, outsideLayers } = await checkBoundary(root)
    expect({ violations, unseen, outsideLayers }).toEqual({ violations: [], unseen: [], outsideLayers: [] })
    expect(seen).toBeGreaterThan(100)
  })

  test('has a test case for every rule', () => {
    expect(Object.keys(breaches).sort()).toEqual([evaluatingCalls.name, ...importRules.map((rule) => rule.name)].sort())
  })

  // Reading the packages takes longer than finding the violations, so that many are looked for at once.
  test.each(together(Object.entries(breaches)))('violations are found: $rules', async ({ cases }) => {
    const files = Object.assign({}, ...cases.map(([, one]) => one))
    write(files)
    const { violations } = await checkBoundary(copy, Object.keys(files))
    const missing = cases.filter(([rule, one]) => !violations.some((found) => found.rule === rule && Object.hasOwn(one, found.from)))
    expect(missing.map(([rule]) => rule)).toEqual([])
  })

  test.each(executors)('the server may not import %s', async (module) => {
    if (!module.includes(':') && module !== 'child_process') install(module)
    write({ 'packages/server/src/breach.ts': `import '${module}'` })
    const { violations } = await checkBoundary(copy, ['packages/server/src/breach.ts'])
    expect(violations.map((violation) => violation.rule)).toContain('server-never-executes')
  })

  test('a folder that is in no layer is reported', async () => {
    write({ 'packages/runtime/src/attic/box.ts': 'export {}' })
    const { outsideLayers } = await checkBoundary(copy, ['packages/runtime/src/attic'])
    expect(outsideLayers).toEqual(['packages/runtime/src/attic/box.ts'])
  })

  test('a violation is reported with its file, rule and remedy', async () => {
    write({
      'packages/server/src/http/breach.ts': "import { push } from '../sync/above.ts'\nexport { push }",
      'packages/server/src/sync/above.ts': 'export const push = 1',
    })
    const { violations } = await checkBoundary(copy, ['packages/server/src/http/breach.ts'])
    expect(violations).toEqual([
      {
        rule: 'server-layer-5-imports-only-down',
        from: 'packages/server/src/http/breach.ts',
        to: 'packages/server/src/sync/above.ts',
        why: 'http: what they need of a higher layer belongs in theirs or below, or is handed in by a function',
      },
    ])
  })

  test('dynamic imports must point downward too', async () => {
    write({
      'packages/server/src/sync/breach.ts': "export const later = () => import('../device/beside.ts')",
      'packages/server/src/device/beside.ts': 'export {}',
    })
    const { violations } = await checkBoundary(copy, ['packages/server/src/sync/breach.ts'])
    expect(violations.map(({ rule }) => rule)).toEqual(['server-layer-6-modules-apart'])
  })

  test('a module imports lower layers and its own files, and a test whatever it tests', async () => {
    write({
      'packages/server/src/sync/breach.ts': "import '../http/lower.ts'\nimport '../operation.ts'\nimport './own.ts'",
      'packages/server/src/sync/breach.test.ts': "import '../device/beside.ts'\nimport '../serve.ts'\nimport './breach.ts'",
      'packages/server/src/sync/own.ts': 'export {}',
      'packages/server/src/http/lower.ts': 'export {}',
      'packages/server/src/device/beside.ts': 'export {}',
      'packages/server/src/serve.ts': 'export {}',
    })
    const { violations } = await checkBoundary(copy, ['packages/server/src/sync/breach.ts', 'packages/server/src/sync/breach.test.ts'])
    expect(violations).toEqual([])
  })

  test('the layers list each module of the server once, and no other', () => {
    const src = join(root, 'packages', 'server', 'src')
    const modules = readdirSync(src).filter((name) => !/\.test\.ts$|^test-/.test(name))
    expect(layeredPackages.server.layers.flat().toSorted()).toEqual(modules.toSorted())
  })
})

/** Groups in which no two cases write the same file. */
function together(cases) {
  const groups = []
  for (const one of cases) {
    const isFree = (group) => !group.some(([, files]) => Object.keys(files).some((path) => Object.hasOwn(one[1], path)))
    const group = groups.find(isFree)
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups.map((group) => ({ rules: group.map(([rule]) => rule).join(', '), cases: group }))
}

function write(files) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    writeFileSync(join(copy, path), `${content}\n`)
    written.push(join(copy, path))
  }
}

/** An empty package of that name: the rule checks names. */
function install(module) {
  const name = module.startsWith('@') ? module.split('/').slice(0, 2).join('/') : module.split('/')[0]
  const folder = join(copy, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name, version: '0.0.0', type: 'module', exports: { '.': './index.js', './*': './index.js' } }),
  )
  writeFileSync(join(folder, 'index.js'), 'export {}\n')
}
