// Recognizes a passage in a text that has changed around it, without keeping its words. Pure.
import { createHash } from 'node:crypto'

/** A hash of each line that is not empty, in order. */
export type Fingerprint = readonly string[]

const length = 8

export function fingerprintOf(text: string): Fingerprint {
  return linesOf(text).map(({ hash }) => hash)
}

/**
 * Where most lines of the passage are now, at the same distances from each other; null if fewer than half of them are. `from` and `to` are the
 * beginning of the first and the end of the last of these lines.
 */
export function findFingerprint(text: string, fingerprint: Fingerprint): { readonly from: number; readonly to: number } | null {
  const places = new Map<string, number[]>()
  for (const [index, hash] of fingerprint.entries()) places.set(hash, [...(places.get(hash) ?? []), index])
  const lines = linesOf(text)
  /** By how far the lines have moved: how many moved by so much, and between which. */
  const moves = new Map<number, { count: number; first: number; last: number }>()
  lines.forEach(({ hash }, at) => {
    for (const index of places.get(hash) ?? []) {
      const move = moves.get(at - index)
      if (move) {
        move.count += 1
        move.last = at
      } else moves.set(at - index, { count: 1, first: at, last: at })
    }
  })
  const best = [...moves.values()].reduce((left, right) => (right.count > left.count ? right : left), { count: 0, first: 0, last: 0 })
  const [first, last] = [lines[best.first], lines[best.last]]
  return first && last && best.count > 0 && best.count * 2 >= fingerprint.length ? { from: first.from, to: last.to } : null
}

function linesOf(text: string): readonly { readonly from: number; readonly to: number; readonly hash: string }[] {
  return [...text.matchAll(/[^\n]*\S[^\n]*/g)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    hash: createHash('sha256').update(match[0].trim()).digest('hex').slice(0, length),
  }))
}
