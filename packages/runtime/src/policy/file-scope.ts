// Compares file scopes. An intersection that cannot be expressed as one scope becomes smaller, never larger.
import type { ToolPolicy } from '@tandem/contract/tool'
import { pathBelow } from './folder-order.ts'

type FileScope = ToolPolicy['fs_scope']

interface Globs {
  /** `all`: every file below the roots. */
  readonly wanted: ReadonlySet<string> | 'all'
  /** Each begins with `!`. */
  readonly unwanted: ReadonlySet<string>
}

const nothing: FileScope = { roots: [], globs: [] }

export function intersectScopes(left: FileScope, right: FileScope): FileScope {
  const [one, other] = [globsOf(left), globsOf(right)]
  const roots = left.roots.flatMap((root) => right.roots.flatMap((second) => deeper(root, one, second, other) ?? []))
  const wanted = wantedByBoth(one.wanted, other.wanted)
  if (roots.length === 0 || (wanted !== 'all' && wanted.size === 0)) return nothing
  const unwanted = one.unwanted.union(other.unwanted)
  return { roots: [...new Set(roots)], globs: [...(wanted === 'all' ? ['**'] : wanted), ...unwanted] }
}

/** Whether `outer` is known to allow every file that `inner` allows. */
export function coversScope(outer: FileScope, inner: FileScope): boolean {
  const [wide, narrow] = [globsOf(outer), globsOf(inner)]
  if (inner.roots.length === 0 || (narrow.wanted !== 'all' && narrow.wanted.size === 0)) return true
  const wantsNoMore = wide.wanted === 'all' || (narrow.wanted !== 'all' && narrow.wanted.isSubsetOf(wide.wanted))
  if (!wantsNoMore || !wide.unwanted.isSubsetOf(narrow.unwanted)) return false
  return inner.roots.every((root) => outer.roots.some((above) => leadsTo(above, wide, root)))
}

/** The root that is inside the other; null if neither is, or if the outer patterns would have another meaning there. */
function deeper(root: string, globs: Globs, second: string, others: Globs): string | null {
  if (leadsTo(second, others, root)) return root
  return leadsTo(root, globs, second) ? second : null
}

/** Patterns are relative to their root. From a folder below it, only patterns that do not depend on the path to that folder mean the same. */
function leadsTo(outer: string, { wanted, unwanted }: Globs, inner: string): boolean {
  const way = pathBelow(outer, inner)
  if (way === null || way.length === 0) return way !== null
  if (wanted !== 'all') return false
  return unwanted.size === 0 || (way !== 'unknown' && [...unwanted].every((glob) => way.every((name) => isUnaffectedBy(glob, name))))
}

// A name excluded at any depth is also excluded below a folder that the name does not match. Nothing is assumed about other patterns.
function isUnaffectedBy(glob: string, name: string): boolean {
  const [, excluded] = /^!\*\*\/([^/[\]{}\\!]+)(?:\/\*\*)?$/.exec(glob) ?? []
  if (excluded === undefined || excluded === '**' || excluded === '.') return false
  const letters = [...excluded].map((letter) => (letter === '*' ? '.*' : letter === '?' ? '.' : RegExp.escape(letter)))
  return !new RegExp(`^${letters.join('')}$`, 'su').test(name)
}

function wantedByBoth(one: Globs['wanted'], other: Globs['wanted']): Globs['wanted'] {
  if (one === 'all') return other
  return other === 'all' ? one : one.intersection(other)
}

function globsOf({ globs }: FileScope): Globs {
  const [unwanted = [], wanted = []] = [true, false].map((negative) => globs.filter((glob) => glob.startsWith('!') === negative))
  return { wanted: wanted.includes('**') ? 'all' : new Set(wanted), unwanted: new Set(unwanted) }
}
