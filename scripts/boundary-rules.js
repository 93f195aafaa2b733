// Which module may import which. ARCHITECTURE.md describes the rules; this file enforces them.

import { layeredPackages, layerRules } from './layers.js'

const runtime = '^packages/runtime/src'
const tests = '\\.test\\.tsx?$|^packages/[^/]+/test/|/test-[^/]+\\.ts$|^packages/contract/src/sample\\.ts$'
const executing = '^(?:node:)?(?:child_process|vm|worker_threads|cluster|wasi|repl|inspector|module)(?:/|$)'
/** `module` finds where npm installed a package; the others could run one. */
const executingBeyondFinding = executing.replace('|module', '')
const executingPackages =
  '(?:^|/)node_modules/(?:@modelcontextprotocol/|playwright|puppeteer|@anthropic-ai/sandbox-runtime|execa|cross-spawn|node-pty|@lydell/node-pty|tinyexec|isolated-vm)'

const startsPostgres = '^packages/server/src/database/embedded-postgres\\.ts$'
const startsWorkers = '^packages/server/src/workers\\.ts$'
const findsPostgres = '^packages/server/src/database/postgres-binaries\\.ts$'

/** What could load or run code without an import that the rules see. */
export const evaluatingCalls = {
  name: 'server-never-evaluates',
  comment: 'text never becomes code in the cloud',
  from: '^packages/server/src/',
  fromNot: tests,
  words: '\\b(?:getBuiltinModule|process\\.binding|Function|eval)\\)?\\s*\\(',
}

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

export const importRules = [
  rule(
    'contract-imports-nothing-of-ours',
    'the contract stands below everything',
    { path: '^packages/contract/src' },
    { path: '^packages/(?!contract/)' },
  ),
  rule(
    'contract-loads-in-a-browser',
    'no I/O, no Node: TypeBox is all it knows',
    { path: '^packages/contract/src', pathNot: tests },
    { pathNot: '^packages/contract/src|(?:^|/)node_modules/typebox/' },
  ),
  rule(
    'server-never-imports-the-runtime',
    'the cloud stores and forwards',
    { path: '^packages/server' },
    { path: '^packages/(?:runtime|desktop|cli)/' },
  ),
  rule(
    'server-never-executes',
    'nothing in the cloud can start a process, a script or a browser; only PostgreSQL and the server itself are started, by one file each',
    { path: '^packages/server/src', pathNot: [tests, startsPostgres, findsPostgres, startsWorkers] },
    { path: [executing, executingPackages] },
  ),
  rule(
    'server-finds-postgres-without-running-it',
    'the file that looks for its programs can start none',
    { path: findsPostgres },
    { path: [executingBeyondFinding, executingPackages] },
  ),
  rule(
    'server-workers-run-the-server-alone',
    'the file that starts its workers can start no other program',
    { path: startsWorkers },
    { path: [executing.replace('|cluster', ''), executingPackages] },
  ),
  rule(
    'runtime-knows-only-the-contract',
    'it reaches the cloud over HTTP',
    { path: '^packages/runtime' },
    { path: '^packages/(?:server|desktop|cli)/' },
  ),
  rule(
    'desktop-reaches-the-runtime-by-commands',
    'the window imports shapes, never the runtime',
    { path: '^packages/desktop' },
    { path: '^packages/(?:server|runtime|cli)/' },
  ),
  rule(
    'cli-enters-by-the-front-door',
    'each side is started through its entry',
    { path: '^packages/cli' },
    { path: '^packages/(?:server|runtime)/src/', pathNot: '^packages/server/src/main\\.ts$|^packages/runtime/src/runtime\\.ts$' },
  ),
  rule('nobody-imports-the-cli', 'it is the top', { path: '^packages/(?!cli/)' }, { path: '^packages/cli/' }),
  rule(
    'sqlite-only-in-the-store',
    'one door to the local database',
    // The index of recall is a separate file, which only its thread opens.
    { path: '^packages/', pathNot: [`${runtime}/store/`, `${runtime}/recall/index/`, tests] },
    { path: '^(?:node:)?sqlite$' },
  ),
  rule(
    'recall-index-only-in-its-thread',
    'a search or a batch of texts must not hold up the main thread',
    { path: '^packages/', pathNot: [`${runtime}/recall/index/`, `${runtime}/recall/thread-main`, `${runtime}/kb/index/`, tests] },
    { path: `${runtime}/recall/index/`, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'knowledge-index-only-in-its-thread',
    'a search or a walk through a folder must not hold up the main thread',
    { path: '^packages/', pathNot: [`${runtime}/kb/index/`, `${runtime}/kb/thread-main`, tests] },
    { path: `${runtime}/kb/index/`, dependencyTypesNot: ['type-only'] },
  ),
  rule(
    'product-never-imports-tests',
    'test code may do what the product may not',
    { path: '^packages/[^/]+/src', pathNot: tests },
    { path: tests },
  ),
  rule('no-circles', 'a circle has no bottom', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
  ...Object.entries(layeredPackages).flatMap(([name, table]) => layerRules(name, table, tests)),
]
