// The window's copy of the runtime's state, without duplicates.
import type {
  CommandResult,
  Conversation,
  KeptAgent,
  ListedMessage,
  LocalRun,
  PendingApproval,
  PendingQuestion,
  RecordedEvent,
  Settings,
} from '@tandem/contract/command'
import type { Team } from '@tandem/contract/team'
import type { CallError, ConnectionState } from '../connection/channel.ts'
import type { OlderConversations } from './conversations.ts'
import type { RunJournal } from './journal.ts'
import type { QueuedMessage } from './queued-message.ts'
import type { Streams } from './stream.ts'

export type ThreadLoadState = 'loading' | 'ready' | { readonly error: CallError }

export interface WindowState {
  readonly connection: ConnectionState
  /** Null until it was read for the first time. */
  readonly conversations: ReadonlyMap<string, Conversation> | null
  readonly olderConversations: OlderConversations
  readonly agents: ReadonlyMap<string, KeptAgent> | null
  readonly settings: Settings | null
  readonly status: CommandResult<'runtime_status'> | null
  /** The newest runs, those that wait for the user, and those of opened threads. */
  readonly runs: ReadonlyMap<string, LocalRun>
  readonly hasOlderRuns: boolean
  readonly journals: ReadonlyMap<string, RunJournal>
  /** By conversation, in the order they were written. */
  readonly messages: ReadonlyMap<string, ReadonlyMap<string, ListedMessage>>
  readonly threads: ReadonlyMap<string, ThreadLoadState>
  readonly streams: Streams
  readonly approvals: readonly PendingApproval[]
  readonly questions: readonly PendingQuestion[]
  /** Those that were read, by their first run. */
  readonly teams: ReadonlyMap<string, Team>
  /** By conversation, in the order they were written. */
  readonly queued: ReadonlyMap<string, readonly QueuedMessage[]>
  /** The newest events, oldest first. */
  readonly events: readonly RecordedEvent[]
  /** Refused commands, each shown until it succeeds or the user dismisses it. One per action. */
  readonly refusals: readonly ErrorNotice[]
}

export interface ErrorNotice {
  readonly id: number
  readonly doing: string
  readonly error: CallError
  /** How often in a row it was refused. */
  readonly times: number
}

export const emptyState: WindowState = {
  connection: 'connecting',
  conversations: null,
  olderConversations: { active: false, archived: false },
  agents: null,
  settings: null,
  status: null,
  runs: new Map(),
  hasOlderRuns: false,
  journals: new Map(),
  messages: new Map(),
  threads: new Map(),
  streams: new Map(),
  approvals: [],
  questions: [],
  teams: new Map(),
  queued: new Map(),
  events: [],
  refusals: [],
}

const eventsKept = 1_000

export function withEvents(events: readonly RecordedEvent[], fresh: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const known = new Set(events.map(({ no }) => no))
  const added = fresh.filter(({ no }) => !known.has(no))
  if (added.length === 0) return events
  return [...events, ...added].sort((left, right) => left.no - right.no).slice(-eventsKept)
}

export function withEntries<Key, Value>(
  map: ReadonlyMap<Key, Value> | null,
  entries: Iterable<readonly [Key, Value]>,
): ReadonlyMap<Key, Value> {
  const next = new Map(map)
  for (const [key, value] of entries) next.set(key, value)
  return next
}
