// A path as results say it: relative to the workspace when it lies there, with forward slashes.
import { sep } from 'node:path'
import type { Place } from '../../call/tool.ts'
import { wayInside } from '../../path/inside.ts'

export function shownPath(real: string, { workspace }: Place): string {
  const way = wayInside(real, workspace)
  if (way === '') return '.'
  return way === null ? real : way.replaceAll(sep, '/')
}
