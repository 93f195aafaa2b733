// A feature is one object with everything that a module adds to the runtime. `runtime.ts` lists the features.
import type { Tool } from '../call/tool.ts'
import type { LifecycleListener } from '../event/lifecycle/lifecycle-event.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { DeviceOnlyFields } from '../journal/step.ts'
import type { Job } from '../scheduler/scheduler.ts'
import type { SettingsSection } from '../settings/section.ts'
import type { CommandTable } from './command-table.ts'
import type { PolicyLayer } from './policy-layer.ts'

export interface Feature {
  /** The name in `runtime_status`. */
  readonly name: string
  readonly tools?: readonly Tool[]
  readonly commands?: CommandTable
  /** A job with `first_ms` runs soon after the start. */
  readonly jobs?: readonly Job[]
  readonly settings?: SettingsSection
  readonly policy?: PolicyLayer
  readonly prompt?: PromptSection
  /** Skills that a run gets in addition to those of its agent. They apply to this run on this device. */
  bindings?(run: RunRecord): Promise<readonly RunBinding[]>
  /** The lifecycle events it handles, and where it starts. */
  readonly on?: Omit<LifecycleListener, 'name'>
  status?(): FeatureState
  /** The run is about to call its model. */
  beforeModelCall?(run: RunRecord): void
  /** The run has ended: deletes what was stored for it. */
  endRun?(run_id: string): Promise<void> | void
  stop?(): Promise<void> | void
}

/** A part of the system prompt. */
export interface PromptSection {
  /** Lower numbers come first. */
  readonly order: number
  /** Longer text is truncated, also if it exceeds the available tokens. */
  readonly max_tokens: number
  /** It has its own budget, computed from the context window, instead of the available tokens. */
  readonly has_own_budget?: true
  /** The same in every turn. Stable sections come first, so that the prompt caches of model providers stay valid. */
  readonly stable: boolean
  /** Empty if there is nothing to add. `room` is the number of tokens that a small context window leaves for it. */
  text(run: RunRecord, room: number): Promise<string>
  /** What this device records about it with the model call. */
  record?(run: RunRecord): DeviceOnlyFields
}

/** A skill bound to one run by its content, so that a later change of the skill does not affect the run. */
export interface RunBinding {
  readonly skill_name: string
  readonly content_sha256: string
  readonly binding_policy: 'summary_only' | 'on_demand' | 'always' | 'full'
  /** Its SKILL.md, if it is given and not looked for in the folders of skills. Then it has no other files. */
  readonly text?: string
}

export interface FeatureState {
  readonly works: boolean
  /** What users should know about it: why it does not work, and what helps. */
  readonly note?: string
}
