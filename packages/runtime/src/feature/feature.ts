// A feature is one object: all that a module adds to the runtime. `runtime.ts` is the list of them.
import type { Tool } from '../call/tool.ts'
import type { LifecycleListener } from '../event/lifecycle/lifecycle-event.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { Here } from '../journal/step.ts'
import type { Job } from '../scheduler/scheduler.ts'
import type { SettingsSection } from '../settings/section.ts'
import type { CommandTable } from './command-table.ts'
import type { PolicyLayer } from './policy-layer.ts'

export interface Feature {
  /** `runtime_status` lists it, with its state. */
  readonly name: string
  readonly tools?: readonly Tool[]
  readonly commands?: CommandTable
  /** A job with `first_ms` has its first round soon after the start. */
  readonly jobs?: readonly Job[]
  readonly settings?: SettingsSection
  readonly policy?: PolicyLayer
  readonly prompt?: PromptSection
  /** Skills that a run is given beside those of its agent. They hold for this run on this device. */
  bindings?(run: RunRecord): Promise<readonly RunBinding[]>
  /** What it hears of the lifecycle events, and from when on. */
  readonly on?: Omit<LifecycleListener, 'name'>
  status?(): FeatureState
  /** The run is at its end: what was kept for it goes. */
  endRun?(run_id: string): Promise<void> | void
  stop?(): Promise<void> | void
}

/** A part of what the model is told before the conversation. */
export interface PromptSection {
  /** Lower numbers come first. */
  readonly order: number
  /** What is longer is cut, and so is what is longer than the room. */
  readonly max_tokens: number
  /** It keeps to a budget of its own, made from the context window, instead of to the room. */
  readonly has_own_budget?: true
  /** The same from turn to turn. Stable sections come before all others, so that the caches of model providers stay valid. */
  readonly stable: boolean
  /** Empty when there is nothing to say. `room` is how many tokens a small context window leaves for it. */
  text(run: RunRecord, room: number): Promise<string>
  /** What this device records about it with the call of the model. */
  record?(run: RunRecord): Here
}

/** A skill as it is bound to one run: by its content, so that a change of the skill does not reach the run. */
export interface RunBinding {
  readonly skill_name: string
  readonly content_sha256: string
  readonly binding_policy: 'summary_only' | 'on_demand' | 'always' | 'full'
}

export interface FeatureState {
  readonly works: boolean
  /** What a person should know about it: why it does not work, and what helps. */
  readonly note?: string
}
