// Run by the pinned Node. Bundles the command line, so that it starts faster; the bundle is valid while its sources are unchanged.
import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fingerprintOf } from '../../packages/cli/bin/program.js'
import { root } from './paths.js'
import { bundle, pathOf } from './program-bundle.js'

const kept_ms = 7 * 24 * 60 * 60 * 1_000
const bundled = join(root, '.cache', 'bundled')
const arriving = join(bundled, `tandem.${process.pid}`)
const began = Date.now()

const output = await bundle('packages/cli/src/main.ts', arriving)
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : [])).filter(isOurs)
const manifests = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`)
const versions = ['typebox', '@anthropic-ai/sandbox-runtime', 'croner', 'diff', 'eventsource-parser'].map(
  (name) => `node_modules/${name}/package.json`,
)
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
  const isOther = /^tandem[.-]/.test(name) && name !== 'tandem.json' && name !== folder
  // A test may delete its own in the meantime.
  const changed = statSync(join(bundled, name), { throwIfNoEntry: false })?.mtimeMs ?? began
  if (isOther && began - changed > kept_ms) rmSync(join(bundled, name), { recursive: true, force: true })
}

function isOurs(id) {
  return id.startsWith(join(root, 'packages') + sep)
}
