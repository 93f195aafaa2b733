// What a draft is made from: the runs in which a routine was repeated, as far as their texts may be used.

export interface EvidenceCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** A person saw exactly these arguments and approved them, or wrote them. */
  readonly approved: boolean
  /** A rule of the person covered it: the words of the rule. Null or absent if none did. */
  readonly covered?: readonly string[] | null
  /** The shapes of the call, as mining sees them. */
  readonly shapes: readonly string[]
}

export interface EvidenceRun {
  readonly run_id: string
  /** The sentences that a person wrote themselves; the first ones are the request. */
  readonly request: readonly string[]
  readonly said: readonly string[]
  readonly calls: readonly EvidenceCall[]
}
