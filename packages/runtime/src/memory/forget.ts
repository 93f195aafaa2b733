// Forgetting: the record, its versions, its index, its vector and its relationships are erased. Only the user does this.
import type { Memory } from '@tandem/contract/memory'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import type { Learned } from './learned.ts'
import type { Corrections } from './record/corrections.ts'
import type { Decisions } from './record/decisions.ts'
import type { FlushMarks } from './record/flush-marks.ts'
import type { GraphRecords } from './record/graph-records.ts'
import type { Memories } from './record/memories.ts'
import type { Profiles } from './record/profiles.ts'
import type { Reviews } from './record/reviews.ts'
import { unreadOf } from './unread.ts'

export interface Forgotten {
  memories: number
  graph_edges: number
  remains: string[]
}

export interface Forget {
  memories(list: readonly Memory[]): Forgotten
  /** Everything about the user. */
  user(): Forgotten
}

export interface ForgetPorts {
  readonly store: Store
  readonly journal: Journal
  readonly marks: FlushMarks
  readonly memories: Memories
  readonly corrections: Corrections
  readonly decisions: Decisions
  readonly reviews: Reviews
  readonly profiles: Profiles
  readonly graph: GraphRecords
  readonly learned: Learned
  /** The agents of this device. */
  agents(): readonly string[]
}

const page = 1_000

export function openForget(ports: ForgetPorts): Forget {
  const { store, journal, marks, memories, corrections, decisions, reviews, profiles, graph, learned, agents } = ports
  const { sql } = store

  /** A model would find it again in messages that only the rules have read. */
  function markAsRead(list: readonly Memory[]): void {
    const quoted = new Set(list.flatMap(({ quotes }) => quotes.map(({ message_id }) => message_id)))
    for (const conversation of new Set([...quoted].flatMap((id) => journal.messages.get(id)?.conversation ?? []))) {
      const { messages, through } = unreadOf(journal, conversation)
      const runs = new Set(messages.filter(({ message_id }) => quoted.has(message_id)).map(({ run_id }) => run_id))
      for (const { run, seq } of through) if (runs.has(run.run_id)) marks.advance(run.no, seq)
    }
  }

  function erase(list: readonly Memory[]): Forgotten {
    const ids = list.map(({ id }) => id)
    learned.refresh()
    const before = graph.count()
    // Deleted rows are overwritten, not only released.
    sql.run`PRAGMA secure_delete = ON`
    const result = store.transaction(() => {
      markAsRead(list)
      const gone = new Set(ids)
      const without = (all: readonly string[]) => all.filter((id) => !gone.has(id))
      for (const { id, conflicts_with, supersedes } of memories.referringTo(ids))
        memories.edit(id, { conflicts_with: without(conflicts_with), supersedes: without(supersedes) })
      corrections.eraseOf(ids)
      decisions.eraseOf(ids)
      reviews.eraseOf(ids)
      memories.erase(ids)
      for (const agent_id of agents()) learned.after(list, agent_id)
      // Nothing of it may be left when this returns.
      learned.refresh()
      return { memories: ids.length, graph_edges: Math.max(0, before - graph.count()), remains: remains(list) }
    })
    store.afterCommit(() => store.tidy())
    return result
  }

  return {
    memories: erase,
    user() {
      const list: Memory[] = []
      for (;;) {
        const last = list.at(-1)
        const more = memories.page({ subject: 'user' }, last ?? null, page)
        list.push(...more)
        if (more.length < page) break
      }
      const result = erase(list)
      store.transaction(() => {
        profiles.eraseUserModels()
        for (const agent_id of agents()) learned.bootstrap(agent_id, null)
      })
      return result
    },
  }
}

function remains(list: readonly Memory[]): string[] {
  const messages = new Set(list.flatMap(({ quotes }) => quotes.map(({ message_id }) => message_id))).size
  const backups = 'Copies that you made yourself, such as exports and backups, are not changed.'
  if (messages === 0) return [backups]
  const what = messages === 1 ? 'The message in which you said it stays' : `The ${messages} messages in which you said it stay`
  return [
    `${what} in ${messages === 1 ? 'its conversation' : 'your conversations'}. To exclude a conversation from memory searches, archive it.`,
    backups,
  ]
}
