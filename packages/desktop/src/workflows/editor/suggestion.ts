// What completion offers.

export interface Suggestion {
  /** What is shown, and compared with what is written. */
  readonly label: string
  /** What is inserted, if it is not the label. */
  readonly insert?: string
  readonly detail?: string
  readonly info?: string
}

export interface Suggestions {
  /** What is replaced. */
  readonly from: number
  readonly to: number
  readonly options: readonly Suggestion[]
  /** As long as the text from `from` to the cursor matches, the options stay the same. */
  readonly validFor: RegExp
}

/** What a workflow can name that is not in its text. */
export interface KnownNames {
  readonly tools: readonly { readonly name: string; readonly summary: string; readonly input_schema: string }[]
  readonly agents: readonly { readonly id: string; readonly name: string }[]
  readonly workflows: readonly { readonly id: string; readonly name: string }[]
}
