import { isAbsolute, relative, sep } from 'node:path'

/** The path relative to the folder, `''` for the folder itself; null if it is outside. Both are absolute. */
export function relativeInside(path: string, folder: string): string | null {
  const way = relative(folder, path)
  // A name that only begins with two dots is not outside.
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way
}

/** Paths that cannot be compared as text. */
const notPlain = /\.\.|\/\/|\/\.\/|\/\.?$|\\/

/** Whether the path is the folder or below it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  // Called for each file of a walk, so plain paths are compared without parsing.
  if (notPlain.test(path) || notPlain.test(folder)) return relativeInside(path, folder) !== null
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
}

/** A path as shown in results: relative to the workspace if it is inside, with forward slashes. */
export function displayPath(real: string, { workspace }: { readonly workspace: string }): string {
  const way = relativeInside(real, workspace)
  if (way === '') return '.'
  return way === null ? real : way.replaceAll(sep, '/')
}
