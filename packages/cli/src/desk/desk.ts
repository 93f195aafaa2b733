// Where the commands of a runtime are reached from, whichever way: one that is running, or one of our own.
import type { CommandError, CommandName, CommandParams, CommandResult, Delta, RecordedEvent } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'

export type Answer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CommandError }

export type News =
  | { readonly kind: 'step'; readonly step: RunStep }
  | { readonly kind: 'delta'; readonly delta: Delta }
  | { readonly kind: 'event'; readonly recorded: RecordedEvent }
  /** The runtime is gone; what the run did is in its journal. */
  | { readonly kind: 'lost'; readonly reason: string }

export interface Place {
  readonly after_seq: number
  /** Only the events that come, when absent. */
  readonly after_event?: number
}

export interface Desk {
  readonly kind: 'attached' | 'own'
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<Answer<CommandResult<Name>>>
  /** For names and parameters that a person wrote. */
  receive(name: string, params: unknown): Promise<Answer<unknown>>
  /** The steps and events of a run from a place on and all that come, each once and in order, with its text as it comes. */
  follow(run_id: string, from: Place, listener: (news: News) => void): Promise<void>
  /** When the run no longer goes on; at once for a runtime that goes on without us. */
  settled(run_id: string): Promise<void>
  close(): Promise<void>
}
