// Run by the pinned Node. Bundles the command line and the runtime into a few files: opening eight hundred is most of a short start.
// Third-party modules are not bundled, except those that consist of hundreds of files.
import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { build } from 'rolldown'
import { fingerprintOf } from '../../packages/cli/bin/program.js'
import { root } from './paths.js'

const kept_ms = 7 * 24 * 60 * 60 * 1_000
const bundled = join(root, '.cache', 'bundled')
const arriving = join(bundled, `tandem.${process.pid}`)
const began = Date.now()

/** Third-party modules that are bundled. */
const takenIn = /^(?:typebox|@anthropic-ai\/sandbox-runtime|@pondwader\/socks5-server|node-forge|zod)(?:\/|$)/

/** What is started in its own process or thread, by a path: it is bundled too, and found next to the program. */
const besides = [
  'checkpoint/scan/listing-worker-main.ts',
  'checkpoint/thread-entry.js',
  'kb/kb-thread.js',
  'kb/parse/parse-process.js',
  'kb/parse/text-thread.js',
  'kb/watch/watch-thread.js',
  'recall/embed/embedder-thread.js',
  'recall/recall-thread.js',
  'sandbox/command/network-guard/network-guard-process.ts',
  'tools/web/extract-worker.ts',
].map((path) => [basename(path, extname(path)), `packages/runtime/src/${path}`])

const { output } = await build({
  cwd: root,
  input: { main: 'packages/cli/src/main.ts', ...Object.fromEntries(besides) },
  platform: 'node',
  external: (id) => !(isAbsolute(id) || /^(?:\.|@tandem\/)/.test(id) || takenIn.test(id)),
  plugins: [
    { name: 'keeps-its-place', transform: (code, id) => (isAbsolute(id) ? placed(code, pathOf(id)) : null) },
    { name: 'takes-what-it-names', renderChunk: takenByName },
  ],
  output: { dir: arriving, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  logLevel: 'warn',
})
writeFileSync(join(arriving, 'package.json'), '{ "type": "module" }\n')

const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])).filter(isOurs)
const manifests = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`)
const versions = ['typebox', '@anthropic-ai/sandbox-runtime'].map((name) => `node_modules/${name}/package.json`)
const paths = new Set([...modules.map(pathOf), ...manifests, ...versions])
const sources = [...paths].sort().map((path) => fingerprintOf(root, path))
if (sources.some(([, , mtimeMs, ctimeMs]) => Math.max(mtimeMs, ctimeMs) >= began)) {
  rmSync(arriving, { recursive: true })
  throw new Error('a source changed while it was put together')
}
const folder = `tandem-${createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)}`
rmSync(join(bundled, folder), { recursive: true, force: true })
renameSync(arriving, join(bundled, folder))
writeFileSync(`${arriving}.json`, JSON.stringify({ folder, sources }))
renameSync(`${arriving}.json`, join(bundled, 'tandem.json'))
// A running program may still open a file of an older one.
for (const name of readdirSync(bundled)) {
  const old = /^tandem[.-]/.test(name) && name !== 'tandem.json' && name !== folder
  if (old && began - statSync(join(bundled, name)).mtimeMs > kept_ms) rmSync(join(bundled, name), { recursive: true, force: true })
}

/** What a module finds next to itself it must still find: workers, migrations, the built window. */
function placed(code, path) {
  const here = `new URL(${JSON.stringify(`../../../${path}`)}, import.meta.url)`
  const file = `process.getBuiltinModule('node:url').fileURLToPath(${here})`
  const besideIt = /\bnew URL\('\.\/([\w-]+)\.[jt]s', import\.meta\.url\)/g
  const meant = { url: `${here}.href`, filename: file, dirname: `process.getBuiltinModule('node:path').dirname(${file})` }
  return code
    .replaceAll(besideIt, (found, name) =>
      besides.some(([known, beside]) => known === name && dirname(beside) === dirname(path))
        ? `new URL('./${name}.js', import.meta['url'])`
        : found,
    )
    .replaceAll(/\bimport\.meta\.(url|filename|dirname)\b/g, (_, name) => meant[name])
}

/**
 * Importing one name from a Node module initializes all of its names, which for `node:http` includes a whole second HTTP client.
 * With access by name, the rest is not initialized.
 */
function takenByName(code) {
  return code.replaceAll(/^import (?:(\w+)(?:, )?)?(?:\{([^}]*)\} )?\s*from "(node:[\w/]+)";$/gm, (_, whole, names, from) => {
    const part = `process.getBuiltinModule(${JSON.stringify(from)})`
    const named = names && `{ ${names.trim().replaceAll(/([\w$]+) as ([\w$]+)/g, '$1: $2')} }`
    return [whole && `var ${whole} = ${part};`, named && `var ${named} = ${part};`].filter(Boolean).join(' ')
  })
}

function isOurs(id) {
  return id.startsWith(join(root, 'packages') + sep)
}

function pathOf(id) {
  return relative(root, id).split(sep).join('/')
}
