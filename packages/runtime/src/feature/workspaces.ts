// The folders that runs work in.
import type { Outcome } from './outcome.ts'

export interface Workspaces {
  /** The real path of a folder that runs may work in; without a path, the folder the runtime was started in. */
  resolve(path: string | undefined): Outcome<string>
  /** Creates a new folder to try things in. */
  makeSample(): Outcome<string>
}
