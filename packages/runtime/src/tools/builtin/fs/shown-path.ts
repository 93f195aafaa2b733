// A path as results say it: relative to the workspace when it lies there, with forward slashes.
import { isAbsolute, relative, sep } from 'node:path'
import type { Place } from '../../define.ts'

export function shownPath(real: string, { workspace }: Place): string {
  const path = relative(workspace, real)
  if (path === '') return '.'
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? real : path.replaceAll(sep, '/')
}
