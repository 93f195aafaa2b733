// Bundles a program and the runtime into a few files: opening eight hundred is most of a short start.
// Third-party modules are not bundled, except those that consist of hundreds of files.
import { writeFileSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, relative, sep } from 'node:path'
import { build } from 'rolldown'
import { root } from './paths.js'

/** Third-party modules that are bundled in a clone. */
const takenIn =
  /^(?:typebox|@anthropic-ai\/sandbox-runtime|@pondwader\/socks5-server|croner|diff|eventsource-parser|node-forge|zod)(?:\/|$)/

/** In a package: only what finds none of its own files, because npm decides where the others are installed. */
export const takenIntoPackage = /^typebox(?:\/|$)/

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
  'workflow/evaluate/evaluate-process.js',
  'workflow/evaluate/evaluate-thread.js',
].map((path) => [basename(path, extname(path)), `packages/runtime/src/${path}`])

/** `program` is a path in the repository; `folder` is in a folder of `.cache`, such as `.cache/bundled`, and its first file is `main.js`. */
export async function bundle(program, folder, taken = takenIn) {
  const { output } = await build({
    cwd: root,
    input: { main: program, ...Object.fromEntries(besides) },
    platform: 'node',
    external: (id) => !(isAbsolute(id) || /^(?:\.|@tandem\/)/.test(id) || taken.test(id)),
    plugins: [
      { name: 'keeps-its-place', transform: (code, id) => (isAbsolute(id) ? placed(code, pathOf(id)) : null) },
      { name: 'takes-what-it-names', renderChunk: takenByName },
    ],
    output: { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    logLevel: 'warn',
  })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  return output
}

export function pathOf(id) {
  return relative(root, id).split(sep).join('/')
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
