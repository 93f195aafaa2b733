// What is asked of recall, and what it answers.

export const recallChannels = ['lexical', 'semantic'] as const
export type RecallChannel = (typeof recallChannels)[number]

export interface RecallQuery {
  /** Scopes of one space. */
  readonly scope: readonly string[]
  readonly query: string
  readonly filters?: RecallFilters
  /** How many hits; 10 when absent. Not with `max_tokens`. */
  readonly k?: number
  /** As many of the best hits as fit. */
  readonly max_tokens?: number
  /** Both when absent. */
  readonly channels?: readonly RecallChannel[]
  /** For questions that need several facts: the best hit of each group comes before the second hit of any group. */
  readonly diverse?: boolean
  /** How long the answer may wait for changes that are not indexed yet, and for an embedder that is not warm. Not at all when absent. */
  readonly patience_ms?: number
  /** How long the answer may take in all; without it, the patience and two seconds for the search. */
  readonly limit_ms?: number
}

export interface RecallFilters {
  readonly after?: number
  readonly before?: number
  readonly speaker?: string
  readonly groups?: readonly string[]
  readonly without_groups?: readonly string[]
}

/** Why a hit was returned: what each signal added to its score. */
export const recallSignals = ['text', 'group', 'neighbors', 'speaker', 'characters', 'meaning'] as const
export type RecallSignal = (typeof recallSignals)[number]
export type SignalShares = Readonly<Record<RecallSignal, number>>

export interface RecallHit {
  readonly id: string
  readonly scope: string
  readonly group: string | null
  readonly speaker: string | null
  readonly at: number | null
  /** The sum of the shares. Comparable within one answer only. */
  readonly score: number
  readonly shares: SignalShares
  /** How much of the query's rare words the text itself contains, from 0 to 1. Comparable between answers. */
  readonly coverage: number
  /** How close the meaning is (cosine), comparable between answers; null when it was not compared. */
  readonly similarity: number | null
  /** The words of the text that the query matched, as written. */
  readonly words: readonly string[]
  readonly excerpt: string
  /** Texts that say nearly the same and are not hits of their own. */
  readonly duplicates: readonly string[]
}

/** `used`, or why the meaning was not compared. */
export type SemanticState = 'used' | 'off' | 'not_warm' | 'no_vectors' | 'failed' | 'not_asked'

export interface RecallAnswer {
  readonly hits: readonly RecallHit[]
  readonly semantic: SemanticState
  /** The thread was busy for too long: there may be hits. */
  readonly isLate: boolean
}
