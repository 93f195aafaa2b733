// Where Tandem itself is: the clone, or the folder of its package.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

let known: string | null = null

/** The outermost folder above this file that has a package.json, below any `node_modules`. */
export function programFolder(): string {
  known ??= outermost(import.meta.dirname)
  return known
}

function outermost(from: string): string {
  let found = from
  for (let at = from; at !== dirname(at) && !at.endsWith('node_modules'); at = dirname(at)) {
    if (existsSync(join(at, 'package.json'))) found = at
  }
  return found
}
