// Short names of two folders, long enough to tell them apart.
import { sep } from 'node:path'

export function distinctNames(left: string, right: string): { readonly from: string; readonly to: string } {
  const [from, to] = [partsOf(left), partsOf(right)]
  const longest = Math.max(from.length, to.length)
  for (let parts = 1; parts < longest; parts += 1) {
    const names = { from: nameOf(from, parts, left), to: nameOf(to, parts, right) }
    if (names.from !== names.to) return names
  }
  return { from: left, to: right }
}

function partsOf(path: string): readonly string[] {
  return path.split(sep).filter((part) => part !== '')
}

function nameOf(parts: readonly string[], last: number, whole: string): string {
  return parts.length <= last ? whole : parts.slice(-last).join('/')
}
