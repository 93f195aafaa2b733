import { isAbsolute, relative, sep } from 'node:path'

/** The way from the folder down to the path, `''` for the folder itself; null when it does not lie in it. Both are absolute. */
export function wayInside(path: string, folder: string): string | null {
  const way = relative(folder, path)
  // A name that only begins with two dots is not the way out.
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : way
}

/** What a path must not have to be compared as text. */
const notPlain = /\.\.|\/\/|\/\.\/|\/\.?$|\\/

/** Whether the path is the folder or below it. Both are absolute. */
export function isInside(path: string, folder: string): boolean {
  // Asked for each file of a walk: plain paths are not taken apart.
  if (notPlain.test(path) || notPlain.test(folder)) return wayInside(path, folder) !== null
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/')
}

/** A path as results say it: relative to the workspace when it lies there, with forward slashes. */
export function shownPath(real: string, { workspace }: { readonly workspace: string }): string {
  const way = wayInside(real, workspace)
  if (way === '') return '.'
  return way === null ? real : way.replaceAll(sep, '/')
}
