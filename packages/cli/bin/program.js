// The whole program bundled into a few files by setup; see scripts/setup/bundle-program.js. Used only while its sources are unchanged.
// A package has no sources, only the bundle of scripts/setup/pack-program.js.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The URL of its first file; undefined if there is none, or a source has changed since. */
export function bundledProgram(root = repository) {
  const bundled = join(root, '.cache', 'bundled')
  try {
    const { folder, sources } = JSON.parse(readFileSync(join(bundled, 'tandem.json'), 'utf8'))
    const main = join(bundled, folder, 'main.js')
    return sources.every((source) => isAsItWas(root, source)) && statSync(main).isFile() ? pathToFileURL(main).href : undefined
  } catch {
    // Not bundled, or not completely: the sources work too, only slower.
    return undefined
  }
}

/** The URL of the first file in a package; undefined in a clone, whose bundle may be older than its sources. */
export function packedProgram(root = repository) {
  const main = join(root, '.cache', 'packed', 'tandem', 'main.js')
  return !existsSync(join(root, 'packages', 'cli', 'src', 'main.ts')) && existsSync(main) ? pathToFileURL(main).href : undefined
}

/** How a file is recognized. Unlike the modification time, the change time (ctime) cannot be set. */
export function fingerprintOf(root, path) {
  const { size, mtimeMs, ctimeMs } = statSync(join(root, path))
  return [path, size, mtimeMs, ctimeMs]
}

function isAsItWas(root, [path, size, mtimeMs, ctimeMs]) {
  const now = statSync(`${root}/${path}`, { throwIfNoEntry: false })
  return now !== undefined && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs
}
