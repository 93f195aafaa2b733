// The lifecycle events: what other features react to, and what each event reports.
import type { LifecycleEventName } from '@tandem/contract/command'
import type { terminalRunStates } from '@tandem/contract/run'

interface OfRun {
  readonly run_id: string
  readonly conversation_id: string
  readonly agent_id: string
}

/** A step of a run. Step numbers start again with each run of a conversation. */
interface StepPosition {
  readonly run_id: string
  readonly seq: number
}

/** `first_use`: it is older than the listener, or was created on another device, and is used here for the first time. */
type Introduction = 'created' | 'first_use'

export interface LifecycleData {
  readonly run_ended: OfRun & { readonly state: (typeof terminalRunStates)[number] }
  /** Everything the run did after `cursor_seq` was undone. */
  readonly checkpoint_restored: OfRun & { readonly checkpoint_id: string; readonly cursor_seq: number }
  /** The range that will be compacted, both ends included. It remains readable in the journal. */
  readonly before_compaction: OfRun & { readonly range: { readonly from: StepPosition; readonly through: StepPosition } }
  readonly agent_created: { readonly agent_id: string; readonly cause: Introduction }
  readonly conversation_created: { readonly conversation_id: string; readonly agent_id: string; readonly cause: Introduction }
  readonly learning_cycle_recorded: OfRun & { readonly cycle_id: string }
}

/** What an event is about. Events of one subject are delivered in order. */
type SubjectKind = 'run' | 'agent' | 'conversation'

const subjects = {
  run_ended: ({ run_id }) => `run:${run_id}`,
  checkpoint_restored: ({ run_id }) => `run:${run_id}`,
  before_compaction: ({ run_id }) => `run:${run_id}`,
  agent_created: ({ agent_id }) => `agent:${agent_id}`,
  conversation_created: ({ conversation_id }) => `conversation:${conversation_id}`,
  learning_cycle_recorded: ({ run_id }) => `run:${run_id}`,
} as const satisfies { [Name in LifecycleEventName]: (data: LifecycleData[Name]) => `${SubjectKind}:${string}` }

/** An event as recorded. The same fact has the same `event_id`, however often it is delivered. */
export type NewLifecycleEvent<Name extends LifecycleEventName = LifecycleEventName> = {
  [One in Name]: { readonly event: One; readonly event_id: string; readonly data: LifecycleData[One] }
}[Name]

/** An event as delivered. */
export type LifecycleEvent<Name extends LifecycleEventName = LifecycleEventName> = NewLifecycleEvent<Name> & {
  /** Increases in order of recording. */
  readonly no: number
  readonly at: number
}

export function subjectOf<Name extends LifecycleEventName>({
  event,
  data,
}: {
  readonly event: Name
  readonly data: LifecycleData[Name]
}): string {
  const subject = subjects[event] as (data: LifecycleData[Name]) => string
  return subject(data)
}

/** The parts of a subject, for display. */
export function readSubject(subject: string): { readonly kind: SubjectKind; readonly id: string } {
  const at = subject.indexOf(':')
  return { kind: subject.slice(0, at) as SubjectKind, id: subject.slice(at + 1) }
}

/** Reacts to lifecycle events. Each is delivered at least once, so processing the same `event_id` again must have no effect. */
export interface LifecycleListener {
  /** Must not change between versions: its cursor is stored under this name. */
  readonly name: string
  /**
   * Where it starts on a device that does not know it yet. `beginning`: with every run that ended and every checkpoint that was restored on
   * this device, as far as its journal still has them, and every event that another listener has not processed yet. `now`: with the next
   * event.
   */
  readonly from: 'beginning' | 'now'
  readonly hears: {
    readonly [Name in LifecycleEventName]?: (event: LifecycleEvent<Name>, signal: AbortSignal) => Promise<void>
  }
}
