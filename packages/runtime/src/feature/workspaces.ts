// The folders that runs work in, as commands ask for them.
import type { Outcome } from './outcome.ts'

export interface Workspaces {
  /** The real path of a folder that runs may work in; the one the runtime was started over for none. */
  resolve(path: string | undefined): Outcome<string>
  /** A fresh folder to try things in. */
  makeSample(): Outcome<string>
}
