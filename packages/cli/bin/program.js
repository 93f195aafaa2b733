// The whole program in few files, as setup put it together; see scripts/setup/bundle-program.js. Used only while every source is the one it was made of.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** The address of its first file; undefined when there is none, or a source has changed since. */
export function bundledProgram(root = repository) {
  const bundled = join(root, '.cache', 'bundled')
  try {
    const { folder, sources } = JSON.parse(readFileSync(join(bundled, 'tandem.json'), 'utf8'))
    const main = join(bundled, folder, 'main.js')
    return sources.every((source) => isAsItWas(root, source)) && statSync(main).isFile() ? pathToFileURL(main).href : undefined
  } catch {
    // Not put together, or not wholly: the sources are as good, only slower.
    return undefined
  }
}

/** What a file is known again by. The time of its last change of any kind can't be set by hand. */
export function markOf(root, path) {
  const { size, mtimeMs, ctimeMs } = statSync(join(root, path))
  return [path, size, mtimeMs, ctimeMs]
}

function isAsItWas(root, [path, size, mtimeMs, ctimeMs]) {
  const now = statSync(`${root}/${path}`, { throwIfNoEntry: false })
  return now !== undefined && now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs
}
