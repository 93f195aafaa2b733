import { sep } from 'node:path'

/** Whether the path is the folder or below it. Both are absolute and normal. Asked for each file of a walk, hence no path is taken apart. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
