// Forgetting: the record, its versions, its index, its vector and its relationships are erased. Only the user does this.
import type { Memory } from '@tandem/contract/memory'
import type { Journal } from '../journal/journal.ts'
import type { MessageRecord } from '../journal/messages.ts'
import type { Store } from '../store/store.ts'
import type { Learned } from './learned.ts'
import type { Corrections } from './record/corrections.ts'
import type { Decisions } from './record/decisions.ts'
import type { ForgottenWords } from './record/forgotten.ts'
import type { GraphRecords } from './record/graph-records.ts'
import type { Memories } from './record/memories.ts'
import type { Profiles } from './record/profiles.ts'
import type { Reviews } from './record/reviews.ts'
import type { MemoryTerms } from './record/terms.ts'
import { statementTerm } from './rule/concern/terms.ts'
import { containsAll } from './rule/repeated.ts'
import { statementKey, statementWords } from './rule/resolve/same.ts'
import { scopeOf } from './rule/resolve/standing.ts'
import { type NormalText, normalText, type Span, spansIn, spansOf, wholeOf } from './rule/spans.ts'

export interface Forgotten {
  memories: number
  graph_edges: number
  remains: string[]
}

export interface Forget {
  memories(list: readonly Memory[]): Forgotten
  /** They apply only in a conversation that is being erased, with all messages that say the same. */
  ofErased(list: readonly Memory[]): Forgotten
  /** Everything about the user. */
  user(): Forgotten
}

/** Where else words of forgotten memories may be. */
export interface ForgottenCopies {
  readonly memory_ids: readonly string[]
  /** The messages that they quote, and the runs of their conversations. */
  readonly message_ids: readonly string[]
  readonly run_ids: readonly string[]
  /** Whether a text states one of them. */
  isOf(text: string): boolean
}

export interface ForgetPorts {
  readonly store: Store
  readonly journal: Journal
  readonly forgotten: ForgottenWords
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
  /** In the transaction of the caller. */
  eraseCopies(copies: ForgottenCopies): void
}

const page = 1_000
const mostListed = 5
/** Messages of the user that are searched for the words of a forgotten memory. */
const mostRead = 2_000
/** With fewer words, a statement means something else in another message. */
const fewestWords = 3

export function openForget(ports: ForgetPorts): Forget {
  const { store, journal, forgotten, memories, terms, corrections, decisions, reviews, profiles, graph, learned, agents, eraseCopies } =
    ports
  const { sql } = store

  function note({ message_id, conversation }: MessageRecord, spans: readonly Span[]): void {
    const { conversation_id } = journal.conversations.at(conversation) ?? {}
    if (conversation_id !== undefined) forgotten.add({ message_id, conversation_id }, spans)
  }

  /** The words that a memory rests on are not read again. Other messages may have them, too, and may not have been read yet. */
  function forgetWords(list: readonly Memory[], others: readonly MessageRecord[]): void {
    for (const { message_id, excerpt } of list.flatMap(({ quotes }) => quotes)) {
      const message = journal.messages.get(message_id)
      if (!message) continue
      const spans = spansOf(excerpt, message.text)
      note(message, spans.length === 0 ? [wholeOf(message.text)] : spans)
    }
    if (others.length === 0) return
    const wanted = list.map((memory) => ({ memory, words: wordsOf(memory) }))
    for (const message of others) {
      const text = normalText(message.text)
      for (const { memory, words } of wanted) {
        const spans = words.flatMap((one) => spansIn(text, one))
        if (spans.length > 0 && isReadFor(memory, message)) note(message, spans)
      }
    }
  }

  /** Whether what the memory says could be remembered from this message. */
  function isReadFor({ agent_id, only_in_conversation, conversation_id }: Memory, { conversation }: MessageRecord): boolean {
    const read = journal.conversations.at(conversation)
    if (!read || (only_in_conversation && read.conversation_id !== conversation_id)) return false
    return agent_id === null || read.agent_id === agent_id
  }

  function copiesOf(list: readonly Memory[]): ForgottenCopies {
    const message_ids = [...new Set(list.flatMap(({ quotes }) => quotes.map(({ message_id }) => message_id)))]
    const conversations = new Set(message_ids.flatMap((id) => journal.messages.get(id)?.conversation ?? []))
    return {
      memory_ids: list.map(({ id }) => id),
      message_ids,
      run_ids: [...conversations].flatMap((no) => journal.runsOf(no).map(({ run_id }) => run_id)),
      isOf: (text) => list.some(({ content }) => containsAll(text, content) || containsAll(content, text)),
    }
  }

  /** How many searches of agents returned one of them. */
  function searchesWith(ids: readonly string[]): number {
    const row = sql.get<{ searches: number }>`
      SELECT count(*) AS searches FROM tool_calls t JOIN agent_run_steps s ON s.run = t.run AND s.seq = t.call_seq
      WHERE s.body ->> 'tool' = 'memory.search'
        AND EXISTS (SELECT 1 FROM json_each(${JSON.stringify(ids)}) AS id WHERE instr(t.output, id.value) > 0)`
    return row?.searches ?? 0
  }

  /** Of the user, the newest. */
  function newestMessages(): readonly MessageRecord[] {
    const rows = sql.all<{ message_id: string }>`SELECT message_id FROM messages WHERE role = 'user' ORDER BY no DESC LIMIT ${mostRead}`
    return rows.flatMap(({ message_id }) => journal.messages.get(message_id) ?? []).filter(({ persons_word }) => persons_word)
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

  function erase(chosen: readonly Memory[], others: readonly MessageRecord[]): Forgotten {
    const list = withDuplicates(chosen)
    const ids = list.map(({ id }) => id)
    learned.refresh()
    const before = graph.count()
    // Deleted rows are overwritten, not only released.
    sql.run`PRAGMA secure_delete = ON`
    const result = store.transaction(() => {
      forgetWords(list, others)
      const gone = new Set(ids)
      const without = (all: readonly string[]) => all.filter((id) => !gone.has(id))
      for (const { id, conflicts_with, supersedes } of memories.referringTo(ids))
        memories.edit(id, { conflicts_with: without(conflicts_with), supersedes: without(supersedes) })
      eraseCopies(copiesOf(list))
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
        remains: remains(list, memories.stating(list.map(({ content }) => content)), searchesWith(ids)),
      }
    })
    store.afterCommit(() => store.tidy())
    return result
  }

  return {
    memories: (list) => erase(list, newestMessages()),
    ofErased: (list) => erase(list, []),
    user() {
      const own = allAbout('user')
      const list = [...own, ...entitiesOfUser(own).flatMap(allAbout)]
      // Nothing about the user is read from earlier messages any more: they need not be searched.
      const result = store.transaction(() => {
        forgotten.addUser()
        return erase(list, [])
      })
      store.transaction(() => {
        profiles.eraseUserModels()
        for (const agent_id of agents()) learned.bootstrap(agent_id, null)
      })
      const isRhythmKnown = agents().some((agent_id) => (profiles.userModel(agent_id, null)?.cadence_profile.signals.length ?? 0) > 0)
      return isRhythmKnown ? { ...result, remains: [rhythmRemains, ...result.remains] } : result
    },
  }
}

/** The texts of a memory that other messages are searched for. */
function wordsOf({ content, quotes }: Memory): readonly NormalText[] {
  const texts = [content, ...quotes.map(({ excerpt }) => excerpt)].filter((text) => statementWords(text).length >= fewestWords)
  return [...new Set(texts.map(normalText))]
}

const rhythmRemains =
  'The hours at which you usually write stay in your profile: they are counted from your messages. Delete the conversations to remove them.'

const ownName = /\b(?:my (?:full )?name is|i(?:'|’)?m called|i am called|call me)\s+(\p{Lu}[\p{L}'’-]*(?: \p{Lu}[\p{L}'’-]*)*)/iu

function ownNameIn(content: string): string | undefined {
  return ownName.exec(content)?.[1]?.toLowerCase()
}

/** `others`: memories that stay and have the same text. `searches`: whose results have it. */
function remains(list: readonly Memory[], others: readonly string[], searches: number): string[] {
  const messages = new Set(list.flatMap(({ quotes }) => quotes.map(({ message_id }) => message_id))).size
  const calls = list.filter(({ source_type }) => source_type === 'tool_call').length
  const reflected = list.filter(({ source_type }) => source_type === 'memory_writeback').length
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
    ...(reflected === 0
      ? []
      : [
          reflected === 1
            ? 'The reflection that recommended it stays with its run.'
            : `The ${reflected} reflections that recommended them stay with their runs.`,
        ]),
    ...(searches === 0
      ? []
      : [
          `${searches === 1 ? 'The result of a search' : `The results of ${searches} searches`} in which an agent found it ${searches === 1 ? 'stays' : 'stay'} in the history of ${searches === 1 ? 'its run' : 'the runs'}.`,
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
