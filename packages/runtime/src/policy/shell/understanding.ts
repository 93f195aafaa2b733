// What was understood of a command: every simple command in it and every file it redirects to. What is not understood is asked, never allowed.

export interface SimpleCommand {
  /** As the program will get them, quotes taken off. */
  readonly words: readonly string[]
  readonly text: string
  /** Words that the shell replaces by the files they match; left out when there are none. */
  readonly patterns?: readonly string[]
}

export type Understanding =
  | {
      readonly understood: true
      /** Where it will run, when that is known. */
      readonly folder?: string
      readonly commands: readonly SimpleCommand[]
      /** Targets of `>` and its kin. */
      readonly writes: readonly string[]
      /** Sources of `<`. */
      readonly reads: readonly string[]
      readonly cwd_changes: boolean
    }
  | { readonly understood: false; readonly reason: string }

export const maxCommands = 50
export const maxLength = 20_000
