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
import type { MemoryTerms } from './record/terms.ts'
import { statementTerm } from './rule/concern/terms.ts'
import { statementKey } from './rule/resolve/same.ts'
import { scopeOf } from './rule/resolve/standing.ts'
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
  readonly terms: Pick<MemoryTerms, 'isComplete' | 'withAll'>
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
const mostListed = 5

export function openForget(ports: ForgetPorts): Forget {
  const { store, journal, marks, memories, terms, corrections, decisions, reviews, profiles, graph, learned, agents } = ports
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

  /** With those of the same owner that state the same: they were merged, and each of them has the text. */
  function withDuplicates(list: readonly Memory[]): readonly Memory[] {
    const all = new Map(list.map((memory) => [memory.id, memory]))
    for (const memory of list) {
      const { subject, agent_id } = memory
      const candidates = terms.isComplete() ? memories.all(terms.withAll([statementTerm(memory)])) : memories.ofSubject(subject, agent_id)
      for (const other of candidates)
        if (scopeOf(other) === scopeOf(memory) && statementKey(other) === statementKey(memory)) all.set(other.id, other)
    }
    return [...all.values()]
  }

  /** Subjects that name the user as an entity: by the name that the user gave, or as "the user". */
  function entitiesOfUser(about: readonly Memory[]): readonly string[] {
    const names = new Set(['user', 'the user', 'me', ...about.flatMap(({ content }) => ownNameIn(content) ?? [])])
    const subjects = new Set([null, ...agents()].flatMap((agent_id) => memories.subjects(agent_id)))
    return [...subjects].filter((subject) => subject.startsWith('entity:') && names.has(subject.slice('entity:'.length).toLowerCase()))
  }

  function allAbout(subject: string): readonly Memory[] {
    const list: Memory[] = []
    for (;;) {
      const more = memories.page({ subject }, list.at(-1) ?? null, page)
      list.push(...more)
      if (more.length < page) return list
    }
  }

  function erase(chosen: readonly Memory[]): Forgotten {
    const list = withDuplicates(chosen)
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
      return {
        memories: ids.length,
        graph_edges: Math.max(0, before - graph.count()),
        remains: remains(list, memories.stating(list.map(({ content }) => content))),
      }
    })
    store.afterCommit(() => store.tidy())
    return result
  }

  return {
    memories: erase,
    user() {
      const own = allAbout('user')
      const list = [...own, ...entitiesOfUser(own).flatMap(allAbout)]
      const result = erase(list)
      store.transaction(() => {
        profiles.eraseUserModels()
        for (const agent_id of agents()) learned.bootstrap(agent_id, null)
      })
      const isRhythmKnown = agents().some((agent_id) => (profiles.userModel(agent_id, null)?.cadence_profile.signals.length ?? 0) > 0)
      return isRhythmKnown ? { ...result, remains: [rhythmRemains, ...result.remains] } : result
    },
  }
}

const rhythmRemains =
  'The hours at which you usually write stay in your profile: they are counted from your messages. Delete the conversations to remove them.'

const ownName = /\b(?:my (?:full )?name is|i(?:'|’)?m called|i am called|call me)\s+(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)/iu

function ownNameIn(content: string): string | undefined {
  return ownName.exec(content)?.[1]?.toLowerCase()
}

/** `others`: memories that stay and have the same text. */
function remains(list: readonly Memory[], others: readonly string[]): string[] {
  const messages = new Set(list.flatMap(({ quotes }) => quotes.map(({ message_id }) => message_id))).size
  const calls = list.filter(({ source_type }) => source_type === 'tool_call').length
  const said = messages === 1 ? 'The message in which you said it stays' : `The ${messages} messages in which you said it stay`
  return [
    ...(messages === 0
      ? []
      : [
          `${said} in ${messages === 1 ? 'its conversation' : 'your conversations'}. To exclude a conversation from memory searches, archive it.`,
        ]),
    ...(calls === 0
      ? []
      : [
          `The ${calls === 1 ? 'call' : `${calls} calls`} with which an agent stored it ${calls === 1 ? 'stays' : 'stay'} in the history of ${calls === 1 ? 'its run' : 'the runs'}.`,
        ]),
    ...(others.length === 0 ? [] : [othersText(others)]),
    'Copies that you made yourself, such as exports and backups, are not changed.',
  ]
}

function othersText(ids: readonly string[]): string {
  const listed = ids.slice(0, mostListed).join(', ')
  const more = ids.length > mostListed ? ` and ${ids.length - mostListed} more` : ''
  const what = ids.length === 1 ? 'Another memory has' : `${ids.length} other memories have`
  return `${what} the same text now or in an earlier version, but belong${ids.length === 1 ? 's' : ''} to another agent, subject or conversation: ${listed}${more}. To delete the text, forget ${ids.length === 1 ? 'it' : 'them'} too.`
}
