import type { Action } from './action.ts'
import type { World } from './world.ts'

/** A project with a planted cause, and what an agent does in it. */
export interface Scene {
  readonly name: string
  readonly request: string
  /** What happens before the cause shows, and succeeds. */
  readonly before?: readonly Action[]
  /** Calls that the cause makes fail; one of them is the root. */
  readonly doors: readonly Action[]
  /** Calls that fail because an earlier one did, in other words. */
  readonly after: readonly Action[]
  /** Removes the cause and shows that it is gone. Empty if that is not possible in the run. */
  readonly repair: readonly Action[]
  /** The answer if it was repaired. */
  readonly done: string
}

export type SceneMaker = (world: World) => Scene | Promise<Scene>

export interface Cause {
  readonly tuning: readonly SceneMaker[]
  readonly 'held-out': readonly SceneMaker[]
}

/** A run without a planted cause: all of it, in order. What fails in it is repaired by what follows. */
export interface Errand {
  readonly name: string
  readonly request: string
  readonly actions: readonly Action[]
  readonly done: string
}

export type ErrandMaker = (world: World) => Errand | Promise<Errand>

export interface Errands {
  readonly tuning: readonly ErrandMaker[]
  readonly 'held-out': readonly ErrandMaker[]
}
