// A step as it is written: the fields its run and its place in the journal say already are added by the journal.
import type { RunStep, RunTrigger, Usage, WrittenStep } from '@tandem/contract/run'
import type { BindingPolicy } from '@tandem/contract/skill'

type Placed = 'step_id' | 'run_id' | 'conversation_id' | 'agent_id' | 'device_id' | 'seq' | 'ts'
type WithoutPlace<Step> = Step extends unknown ? Omit<Step, Placed> : never

export type NewStep = WithoutPlace<WrittenStep>
export type StepKind = RunStep['kind']
export type StepOf<Kind extends StepKind> = Extract<RunStep, { kind: Kind }>

/** Steps that change the state of their run, and along which row of its table. */
const stepTriggers = {
  'run.paused': 'pause',
  'run.resumed': 'resume_agent_run',
  'run.completed': 'complete',
  'run.failed': 'fail',
  'run.canceled': 'cancel',
  'checkpoint.restored': 'restore_run_checkpoint',
} as const satisfies Partial<Record<StepKind, RunTrigger>>

export function triggerOf(kind: StepKind): RunTrigger | undefined {
  return Object.hasOwn(stepTriggers, kind) ? stepTriggers[kind as keyof typeof stepTriggers] : undefined
}

/** What only this device needs of a step. Never synchronized. */
export interface Here {
  /** The model's own name for a call: answers go back to it under that name. */
  readonly wire_id?: string
  /** The arguments were no JSON: kept as they came. */
  readonly malformed?: true
  /** The call only looks: after a crash it is simply made again. */
  readonly looks?: true
  /** Of what the call was asked and answered, other devices see the ids alone. */
  readonly leaves?: 'ids'
  /** Where the whole of what was too long for the step is kept. */
  readonly file?: string
  /** Up to which step of which run a compaction speaks for. */
  readonly through?: { readonly run: number; readonly seq: number }
  readonly checkpoint_id?: string
  /** Nobody resumed it: it was tried again by itself. */
  readonly by_itself?: true
  /** When a run that no model answered is tried again by itself. */
  readonly retry_at?: number
  readonly duration_ms?: number
  /** The model refused, in these words. */
  readonly refused?: string
  /** What a call of the model beside the turns cost: a summary. */
  readonly usage?: Usage
  readonly first_token_ms?: number | null
  readonly message_count?: number
  readonly tool_count?: number
  readonly waited_ms?: number
  /** The tool, for steps that name only the call; the name a model made up, for calls of tools there are not. */
  readonly tool?: string
  readonly call_id?: string
  /** What the provider of the model wants back with the next request. */
  readonly provider?: ProviderTurn
  /** The same, of one call. */
  readonly provider_fields?: Readonly<Record<string, unknown>>
  /** The skills a call of the model was given, and what they cost. */
  readonly skills?: GivenSkills
  /** The layers of policies that were in force when the model was called. */
  readonly policy_layers?: LayerNames
}

/** Fields that are no part of the API and of no use to another model. They may hold what a model thought: they stay on this device. */
export interface ProviderTurn {
  readonly model: string
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Layers of policies by name: those that changed the policy of at least one tool, and overlays that were ignored. */
export interface LayerNames {
  readonly in_force: readonly string[]
  readonly ignored: readonly string[]
}

export interface GivenSkills {
  readonly tokens: number
  readonly skills: readonly {
    readonly skill_name: string
    readonly binding_policy: BindingPolicy
    readonly level: SkillLevel
    readonly content_sha256: string
    readonly allowed_tools: readonly string[]
    readonly tokens: number
  }[]
  readonly left_out: readonly { readonly skill_name: string; readonly level: SkillLevel; readonly reason: string; readonly title: string }[]
}

/** How much of a skill: its description, its instructions, or the files beside them too. */
export type SkillLevel = 'summary' | 'body' | 'full'
