// What is indexed. The records stay where they are: a source reads them, and the index can be rebuilt from it at any time.
import type { EmbedderKind } from './embed/embedder.ts'

export interface RecallText {
  /** Unique within its space. */
  readonly id: string
  /** Who may find it, as `SPACE/NAME`. */
  readonly scope: string
  readonly text: string
  readonly at: number | null
  readonly speaker: string | null
  /** The conversation or document it is part of. Texts before and after it in the same group are its neighbors. */
  readonly group: string | null
  /** Its place in the group. The order of time when absent. */
  readonly position?: number
}

export interface RecallSource {
  /** The first part of all its scopes. */
  readonly space: string
  /** The texts with these ids as they are now. An id that is missing in the result is removed from the index. */
  read(ids: readonly string[]): readonly RecallText[]
  /** All ids in ascending order, a page at a time: for a rebuild. */
  ids(after: string | null, limit: number): readonly string[]
  /** Whether its texts are also compared by meaning, with an embedder of this kind; no when absent. The feature may ask its own settings. */
  isEmbedded?(by: EmbedderKind): boolean
}

/** Why a text cannot be indexed; null when it can. */
export function textProblem({ id, scope, text, at, position }: RecallText, space: string): string | null {
  if (id === '') return 'its id is empty'
  if (!scope.startsWith(`${space}/`)) return `its scope ${scope} is not in this space`
  if (text.length > longestText) return `it has ${text.length} characters; at most ${longestText} are indexed`
  if (at !== null && !Number.isSafeInteger(Math.trunc(at))) return 'its time is not a number'
  if (position !== undefined && !Number.isSafeInteger(Math.trunc(position))) return 'its position is not a number'
  return null
}

const longestText = 1_000_000

/** The first part of a scope: scopes of one space share their statistics, so their scores can be compared. */
export function spaceOf(scope: string): string {
  const end = scope.indexOf('/')
  if (end <= 0) throw new Error(`the scope "${scope}" has no space: write SPACE/NAME`)
  return scope.slice(0, end)
}
