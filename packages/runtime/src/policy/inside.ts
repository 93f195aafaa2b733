import { isAbsolute, relative, sep } from 'node:path'

/** Whether the path is the folder or below it. A name that only begins with two dots is not the way out. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
