// The folders that runs work in.
import type { Outcome } from './outcome.ts'

export interface Workspaces {
  /** The real path of a folder that runs may work in; without a path, as `fresh`. `~` is the home folder. */
  resolve(path: string | undefined): Outcome<string>
  /** For a caller that names no folder: the one the runtime was started in, or, if that is Tandem's own program, the last used one. */
  fresh(): Outcome<string>
  /** The same for a path that a user typed; `~` is the home folder. `field` is the one that a refusal names. */
  check(path: string, field?: string): Outcome<string>
  /** With `~` replaced, as it is. */
  expand(path: string): string
  /** The folder the runtime was started in; null if that is Tandem's own program, which no conversation starts in by default. */
  started(): string | null
  /** Creates a new folder to try things in. */
  makeSample(): Outcome<string>
}
