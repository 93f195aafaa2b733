// What was understood of a command: every simple command in it and every file it redirects to. A command that is not understood needs approval.

export interface SimpleCommand {
  /** As the program gets them, without quotes. */
  readonly words: readonly string[]
  readonly text: string
  /** Words that the shell replaces with matching files; absent if there are none. */
  readonly patterns?: readonly string[]
}

export type ParsedCommand =
  | {
      readonly understood: true
      /** Where it will run, if known. */
      readonly folder?: string
      readonly commands: readonly SimpleCommand[]
      /** Targets of `>` and similar operators. */
      readonly writes: readonly string[]
      /** Sources of `<`. */
      readonly reads: readonly string[]
      readonly cwd_changes: boolean
    }
  | { readonly understood: false; readonly reason: string }

export const maxCommands = 50
export const maxLength = 20_000
