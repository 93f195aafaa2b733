// The commands of a runtime, either one that is already running or one of our own.
import type { CommandError, CommandName, CommandParams, CommandResult, Delta, RecordedEvent } from '@tandem/contract/command'
import type { RunStep } from '@tandem/contract/run'

export type CommandAnswer<Value> = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: CommandError }

export type RunUpdate =
  | { readonly kind: 'step'; readonly step: RunStep }
  | { readonly kind: 'delta'; readonly delta: Delta }
  | { readonly kind: 'event'; readonly recorded: RecordedEvent }
  /** The runtime ended; what the run did is in its journal. */
  | { readonly kind: 'lost'; readonly reason: string }

export interface SubscriptionPosition {
  readonly after_seq: number
  /** If absent, only new events. */
  readonly after_event?: number
}

export interface RuntimeClient {
  readonly kind: 'attached' | 'own'
  /** False once the runtime has closed the connection. */
  isOpen(): boolean
  call<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<CommandAnswer<CommandResult<Name>>>
  /** For names and parameters from the user. */
  receive(name: string, params: unknown): Promise<CommandAnswer<unknown>>
  /** The steps and events of a run from a position on, each once and in order, with its text as it arrives. */
  follow(run_id: string, from: SubscriptionPosition, listener: (news: RunUpdate) => void): Promise<void>
  /** New events, of all conversations, until `until` is aborted. */
  watch(listener: (recorded: RecordedEvent) => void, until?: AbortSignal): Promise<void>
  /** Resolves when the run is no longer active; immediately for a runtime that continues without this process. */
  settled(run_id: string): Promise<void>
  close(): Promise<void>
}
