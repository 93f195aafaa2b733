// Memories whose words end an earlier one: "no longer …", "scrap the …". Pure.
import type { ConflictPair } from './conflict.ts'
import { end, isKeptAgainst, type Standing } from './standing.ts'

const stopWords = new Set(
  'a an the this that these those my our your his her its their of to in on at by for with from and or is are was were be it we i you as'.split(
    ' ',
  ),
)

/** The words that carry the meaning, without the commonest endings. */
export function stems(text: string): ReadonlySet<string> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return new Set(words.filter((word) => !stopWords.has(word)).map(stemOf))
}

/** Whether all words are there; words without meaning find nothing. */
function namesAll(wanted: ReadonlySet<string>, present: ReadonlySet<string>): boolean {
  return wanted.size > 0 && wanted.isSubsetOf(present)
}

/**
 * `standings` in the order of their creation. Each revoking memory ends the one earlier statement that its words name; what happened stays
 * true, so episodic memories are never revoked. Returns the pairs in which the revoking memory ranks lower.
 */
export function revoke(standings: readonly Standing[], revokes: ReadonlyMap<string, readonly string[]>): readonly ConflictPair[] {
  const conflicts: ConflictPair[] = []
  const known = new Map<Standing, ReadonlySet<string>>()
  const stemsOf = (one: Standing) => {
    const words = known.get(one) ?? stems(one.memory.content)
    known.set(one, words)
    return words
  }
  for (const [index, revoking] of standings.entries()) {
    const words = revokes.get(revoking.memory.id)
    if (!words || revoking.verdict?.isKept === false) continue
    const wanted = stems(words.join(' '))
    const named = standings.slice(0, index).filter((one) => canBeRevoked(one, revoking) && namesAll(wanted, stemsOf(one)))
    const best = closest(named, stemsOf(revoking), stemsOf)
    for (const one of named.filter(({ key }) => key === best?.key)) {
      if (revoking.rank >= one.rank) end(one, revoking.moment, revoking.memory.id, 'revoked')
      else conflicts.push([one.memory.id, revoking.memory.id])
    }
  }
  return conflicts
}

function canBeRevoked(one: Standing, revoking: Standing): boolean {
  return (
    one.memory.memory_kind !== 'episodic' &&
    one.memory.state !== 'archived' &&
    one.verdict?.isKept !== false &&
    // What it replaced already is what its words name: they must not end another one as well.
    (one.ends > revoking.moment || one.endedBy === revoking.memory.id) &&
    one.key !== revoking.key &&
    !isKeptAgainst(one, revoking.moment)
  )
}

/** The one that has most in common with the revoking memory; of equal ones the newest. */
function closest(
  named: readonly Standing[],
  wanted: ReadonlySet<string>,
  stemsOf: (one: Standing) => ReadonlySet<string>,
): Standing | undefined {
  let best: { readonly one: Standing; readonly share: number } | undefined
  for (const one of named) {
    const words = stemsOf(one)
    const share = words.intersection(wanted).size / Math.max(1, words.size)
    if (!best || share >= best.share) best = { one, share }
  }
  return best?.one
}

/** Without the endings of plurals and verbs. */
function stemOf(word: string): string {
  if (word.length <= 3) return word
  return word
    .replace(/(?:ies|ied)$/u, 'y')
    .replace(/(?:sses)$/u, 'ss')
    .replace(/(?<!s)s$/u, '')
    .replace(/(?<=\p{L}{3})(?:ing|ed)$/u, '')
    .replace(/(?<=\p{L}{3})e$/u, '')
}
