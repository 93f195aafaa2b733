// Which folder is inside which, by name only. Relative folders belong to a workspace that may not be known yet.
import { posix } from 'node:path'

/** The names on the path from `outer` down to `inner`; `unknown` if it contains folders without a known name; null if it is not inside. */
export function pathBelow(outer: string, inner: string): readonly string[] | 'unknown' | null {
  const [from, to] = [parsed(outer), parsed(inner)]
  if (from.isAbsolute !== to.isAbsolute) return from.isAbsolute && from.names.length === 0 ? 'unknown' : null
  if (from.up > to.up) return from.names.length === 0 ? 'unknown' : null
  const isAbove = from.up === to.up && from.names.every((name, index) => to.names[index] === name)
  return isAbove ? to.names.slice(from.names.length) : null
}

interface Folder {
  readonly isAbsolute: boolean
  /** How many folders above the workspace it starts. */
  readonly up: number
  readonly names: readonly string[]
}

function parsed(text: string): Folder {
  const parts = posix
    .normalize(text)
    .split('/')
    .filter((part) => part !== '' && part !== '.')
  const names = parts.filter((part) => part !== '..')
  return { isAbsolute: posix.isAbsolute(text), up: parts.length - names.length, names }
}
