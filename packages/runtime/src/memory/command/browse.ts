// The commands that show, correct and remove memories.
import { isMemoryExpired, type Memory, type MemoryQuote, memoryExpiry } from '@tandem/contract/memory'
import { timestamp } from '../../clock/clock.ts'
import type { CommandTable } from '../../feature/command-table.ts'
import { limitOf, pageOf, positionOf } from '../../feature/cursor.ts'
import { agentNotFound, conversationNotFound } from '../../feature/not-found.ts'
import { invalidField, type Outcome, type Rejection } from '../../feature/outcome.ts'
import { setAsideLearnedIn } from '../excluded-conversation.ts'
import type { MemoryEdit } from '../record/memories.ts'
import { sensitiveNames } from '../rule/authority.ts'
import { namedSubject } from '../rule/graph/named-entity.ts'
import { slotOf } from '../rule/resolve/slots.ts'
import { hasSecretIn } from '../rule/secret/memory-secrets.ts'
import { maskSecrets } from '../rule/secret/secrets.ts'
import { needsReview } from '../rule/visible.ts'
import { exportMemories } from '../transfer/export.ts'
import { importMemories } from '../transfer/import.ts'
import { usedMemories } from '../used-memories.ts'
import type { MemoryCommandPorts } from './ports.ts'

/** How many runs behind a procedure are shown. */
const mostRuns = 20

export function browseHandlers(ports: MemoryCommandPorts): CommandTable {
  const {
    store,
    journal,
    memories,
    cycle,
    corrections,
    decisions,
    reviews,
    views,
    learned,
    forget,
    exclusions,
    agents,
    isRecallable,
    clock,
  } = ports

  /** Applies the resolution and everything that follows, after a change by the user. */
  function settled(memory: Memory, agent_id: string | null) {
    const resolution = cycle.apply([memory])
    for (const one of agent_id === null ? agents.ids() : [agent_id]) learned.after([memory], one)
    return { memory: memories.get(memory.id) ?? memory, resolution }
  }

  function withMemory<Value>(memory_id: string, act: (memory: Memory) => Outcome<Value>): Outcome<Value> {
    return store.transaction<Outcome<Value>>(() => {
      const memory = memories.get(memory_id)
      return memory ? act(memory) : memoryNotFound(memory_id)
    })
  }

  /** What the user says a memory is about, among the entities that its agents know. */
  function subjectFor(given: string, agent_id: string | null): Outcome<string> {
    const known = given.startsWith('entity:') ? (agent_id === null ? agents.ids() : [agent_id]) : []
    const subject = namedSubject(
      given,
      known.flatMap((id) => views.entities(id)),
    )
    return subject === null ? invalidField('subject', 'names an entity that does not exist') : { ok: true, value: subject }
  }

  /** The words that a memory quotes, and the requests of the runs behind a procedure. */
  function evidenceOf({ id, quotes }: Memory): readonly MemoryQuote[] {
    const requests = ports.procedureRuns.runsOf(id, mostRuns).flatMap((run) => {
      const [started] = journal.steps(journal.runNo(run).run_id, { limit: 1 })
      const message =
        started?.step.kind === 'run.started' && started.step.message_id ? journal.messages.get(started.step.message_id) : undefined
      return message ? [{ message_id: message.message_id, excerpt: maskSecrets(message.text).slice(0, 500) }] : []
    })
    return [...quotes, ...requests]
  }

  /** A memory of another kind is kept as long as its new kind, unless the user chose the date. */
  function expiryAfter(memory: Memory, { memory_kind, expires_at }: MemoryEdit): Pick<MemoryEdit, 'expires_at'> {
    if (memory_kind === undefined || memory_kind === memory.memory_kind || expires_at !== undefined) return {}
    const first = (one: Memory) => memoryExpiry(one.memory_kind, one.created_at)
    const usual = (one: Memory) => ports.expiryOf({ ...one, expires_at: first(one) })
    const changed = { ...memory, memory_kind }
    if (memory.expires_at === first(memory)) return { expires_at: first(changed) }
    return memory.expires_at === usual(memory) ? { expires_at: usual(changed) } : {}
  }

  return {
    memory_list({ limit, cursor, to_review, ...filter }) {
      const paging = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
      const from = positionOf('memory_list', paging, ['string', 'string'])
      if (!from.ok) return from
      const [created_at, id] = from.value ?? []
      const before = from.value === null ? null : { created_at: String(created_at), id: String(id) }
      const reviewed = to_review ? { ...filter, authority: 'untrusted' as const, states: ['active' as const], confirmed: false } : filter
      const list = memories.page(reviewed, before, limitOf(paging) + 1)
      return { ok: true, value: pageOf('memory_list', list, (memory) => [memory.created_at, memory.id], paging) }
    },
    memory_get: ({ memory_id }) =>
      withMemory(memory_id, (memory) => {
        const superseding = memories.ofSubject(memory.subject, memory.agent_id).filter(({ supersedes }) => supersedes.includes(memory_id))
        const related = [...memories.all([...memory.conflicts_with, ...memory.supersedes]), ...superseding]
        return {
          ok: true,
          value: {
            memory,
            versions: [...memories.versions(memory_id)],
            related,
            sources: evidenceOf(memory).map(({ message_id, excerpt }) => {
              const message = journal.messages.get(message_id)
              const conversation = message && journal.conversations.at(message.conversation)
              return {
                message_id,
                conversation_id: conversation?.conversation_id ?? null,
                conversation_title: conversation?.title ?? null,
                excerpt,
                ts: message ? timestamp(message.created_at) : null,
              }
            }),
            decisions: [...decisions.of([memory_id])],
            not_used_because: notUsed(memory, isRecallable(memory), timestamp(clock.now())),
          },
        }
      }),
    memory_add({ agent_id, content, memory_kind, subject: about = 'user', conversation_id, only_in_conversation = false }) {
      if (agent_id !== null && !agents.has(agent_id)) return agentNotFound(agent_id)
      if (conversation_id !== undefined && !journal.conversations.get(conversation_id)) return conversationNotFound(conversation_id)
      if (only_in_conversation && conversation_id === undefined)
        return invalidField('conversation_id', 'is needed for a memory that applies to one conversation only')
      const problem = textProblem({ content, subject: about })
      if (problem) return problem
      const named = subjectFor(about, agent_id)
      if (!named.ok) return named
      const subject = named.value
      return store.transaction(() => {
        const memory = memories.add({
          agent_id,
          conversation_id: conversation_id ?? null,
          only_in_conversation,
          memory_kind,
          subject,
          slot: slotOf({ memory_kind, subject, content }),
          content: content.trim(),
          confidence: 1,
          source_type: 'user_statement',
          authority: 'person',
          confirmed_by_user: true,
          origin_key: null,
        })
        return { ok: true, value: settled(memory, agent_id) }
      })
    },
    memory_edit: ({ memory_id, version, ...edit }) =>
      withMemory(memory_id, (memory) => {
        if (version !== undefined && version !== memory.version)
          return { ok: false, code: 'version_conflict', message: `the memory ${memory_id} is at version ${memory.version}, not ${version}` }
        const problem = textProblem(edit)
        if (problem) return problem
        const named = edit.subject === undefined ? null : subjectFor(edit.subject, memory.agent_id)
        if (named && !named.ok) return named
        const about = named ? { subject: named.value } : {}
        const next = { ...memory, ...edit, ...about }
        if (next.only_in_conversation && next.conversation_id === null)
          return invalidField('only_in_conversation', 'needs a memory that was learned in a conversation')
        const changed: MemoryEdit = {
          ...edit,
          ...about,
          ...(edit.content === undefined
            ? {}
            : { content: edit.content.trim(), confirmed_by_user: true, authority: 'person' as const, conflicts_with: [] }),
          slot: slotOf(next),
          ...expiryAfter(memory, edit),
        }
        return { ok: true, value: settled(memories.edit(memory_id, changed), memory.agent_id) }
      }),
    memory_confirm: ({ memory_id }) =>
      withMemory(memory_id, (memory) => {
        const expires_at = ports.expiryOf({ ...memory, confirmed_by_user: true })
        return { ok: true, value: settled(memories.edit(memory_id, { confirmed_by_user: true, expires_at }), memory.agent_id) }
      }),
    memory_reinstate: ({ memory_id }) =>
      withMemory(memory_id, (memory) => {
        const moved = memories.move(memory_id, 'reinstate', null)
        if (!moved)
          return {
            ok: false,
            code: 'transition_refused',
            message: 'the memory is already active',
            remedy: 'You do not need to do anything.',
          }
        // The user wants it: it wins over what had replaced it, and a time that has passed would archive it again.
        const created_at = timestamp(clock.now())
        const expires_at = isMemoryExpired(moved, created_at) ? memoryExpiry(moved.memory_kind, created_at) : moved.expires_at
        const confirmed = memories.edit(memory_id, {
          confirmed_by_user: true,
          expires_at: ports.expiryOf({ ...moved, confirmed_by_user: true, created_at, expires_at }),
        })
        const over = memories.ofSubject(memory.subject, memory.agent_id).filter(({ supersedes }) => supersedes.includes(memory_id))
        if (over.length > 0)
          cycle.decide(
            memory_id,
            over.map(({ id }) => id),
          )
        return { ok: true, value: settled(confirmed, memory.agent_id) }
      }),
    memory_forget: ({ memory_id }) => withMemory(memory_id, (memory) => ({ ok: true, value: forget.memories([memory]) })),
    memory_forget_user: () => ({ ok: true, value: forget.user() }),
    memory_decide_conflict: ({ kept_memory_id, over_memory_ids }) =>
      withMemory(kept_memory_id, (kept) => {
        for (const id of over_memory_ids) {
          const other = memories.get(id)
          if (!other) return memoryNotFound(id)
          if (id === kept_memory_id || other.subject !== kept.subject || other.agent_id !== kept.agent_id)
            return invalidField(
              'over_memory_ids',
              `contains ${id}, which is the kept memory itself, or belongs to another person, thing or agent`,
            )
        }
        const decision = cycle.decide(kept_memory_id, over_memory_ids)
        return { ok: true, value: { decision, ...settled(kept, kept.agent_id) } }
      }),
    memory_list_reviews({ agent_id = null, ...paging }) {
      const from = positionOf('memory_list_reviews', paging, ['string'])
      if (!from.ok) return from
      const list = reviews.page(agent_id, from.value === null ? null : String(from.value[0]), limitOf(paging) + 1)
      return { ok: true, value: pageOf('memory_list_reviews', list, ({ id }) => [id], paging) }
    },
    memory_list_corrections({ agent_id = null, ...paging }) {
      const from = positionOf('memory_list_corrections', paging, ['string'])
      if (!from.ok) return from
      const list = corrections.page(agent_id, from.value === null ? null : String(from.value[0]), limitOf(paging) + 1)
      return { ok: true, value: pageOf('memory_list_corrections', list, ({ id }) => [id], paging) }
    },
    memory_of_run({ run_id }) {
      const run = journal.run(run_id)
      if (!run) return { ok: false, code: 'not_found', message: `there is no run ${run_id} on this device` }
      const injected = ports.injected(run)
      return { ok: true, value: { items: usedMemories(memories, injected), tokens: injected.tokens } }
    },
    memory_set_remembering({ kind, id, remember }) {
      if (kind === 'agent' && !agents.has(id)) return agentNotFound(id)
      if (kind === 'conversation' && !journal.conversations.get(id)) return conversationNotFound(id)
      store.transaction(() => {
        const conversation_ids = exclusions.set(kind, id, !remember)
        if (conversation_ids.length === 0) return
        const changed = setAsideLearnedIn(memories, conversation_ids, remember)
        cycle.apply(changed)
        for (const one of agents.ids()) learned.after(changed, one)
      })
      ports.recallAgain()
      return { ok: true, value: { kind, id, remember } }
    },
    memory_export: () => ({ ok: true, value: exportMemories(ports) }),
    memory_import({ json }) {
      const learnedBy = (written: readonly Memory[]) => {
        for (const agent_id of agents.ids()) learned.after(written, agent_id)
      }
      const imported = importMemories({ ...ports, learned: learnedBy }, json)
      if (!imported.ok) return invalidField('json', `cannot be imported: ${imported.message}`)
      const { memories: written, ...counts } = imported.value
      return { ok: true, value: { added: written.length, ...counts } }
    },
  }
}

function textProblem({ content, subject, tags }: MemoryEdit): Rejection | null {
  if (content?.trim() === '') return invalidField('content', 'must not be empty')
  const fields = { content: { content }, subject: { subject }, tags: { tags } }
  for (const [field, texts] of Object.entries(fields))
    if (hasSecretIn(texts)) return invalidField(field, 'contains a secret, which is never stored in a memory; leave the secret out')
  return null
}

function memoryNotFound(memory_id: string): Rejection {
  return { ok: false, code: 'not_found', message: `there is no memory ${memory_id}` }
}

function notUsed(memory: Memory, isRecallable: boolean, now: string): string | null {
  if (memory.state !== 'active') return memory.state === 'superseded' ? 'It was replaced.' : 'It is archived.'
  if (isMemoryExpired(memory, now)) return 'It has expired.'
  if (needsReview(memory)) {
    const names = sensitiveNames(memory.content, null).slice(0, 3)
    return `You have not confirmed it, and it names something you did not mention on this device${names.length > 0 ? `: ${names.join(', ')}` : ''}.`.slice(
      0,
      500,
    )
  }
  return isRecallable ? null : 'It contradicts a memory that takes precedence. Decide which one is right.'
}
