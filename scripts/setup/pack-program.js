// Run by the pinned Node. Bundles the command line for `npm pack`. Three folders deep, as the bundle of a clone is: what it finds by a
// path (migrations, the window) has the same place in both.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { root } from './paths.js'
import { bundle, takenIntoPackage } from './program-bundle.js'

const packed = join(root, '.cache', 'packed')
const arriving = join(packed, `arriving.${process.pid}`)
rmSync(packed, { recursive: true, force: true })
const output = await bundle('packages/cli/src/main.ts', arriving, takenIntoPackage)
writeFileSync(join(arriving, 'LICENSES.txt'), licenses(output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))))
renameSync(arriving, join(packed, 'tandem'))

/** The licenses of the packages that the bundle contains; npm installs the others with theirs. */
function licenses(modules) {
  const inside = join(root, 'node_modules') + sep
  const names = new Set(modules.filter((id) => id.startsWith(inside)).map((id) => nameOf(id.slice(inside.length).split(sep))))
  return [...names].sort().map(licenseOf).join('\n')
}

function nameOf([first, second]) {
  return first.startsWith('@') ? `${first}/${second}` : first
}

function licenseOf(name) {
  const folder = join(root, 'node_modules', name)
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  if (!file) throw new Error(`${name} has no license file, so it must not be bundled`)
  return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
}
