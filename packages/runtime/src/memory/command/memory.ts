// The commands of the specification: search, compaction, review, corrections, the relationship graph, profiles and distillation policies.
import { type MemoryQuote, memoryDropReasons } from '@tandem/contract/memory'
import type { CommandTable } from '../../feature/command-table.ts'
import { limitOf, pageBy, pageOf, positionOf } from '../../feature/cursor.ts'
import { agentNotFound, conversationNotFound } from '../../feature/not-found.ts'
import { invalidField } from '../../feature/outcome.ts'
import type { MessageRecord } from '../../journal/messages.ts'
import { mergeEntities } from '../rule/graph/entities.ts'
import { applySplits, splitEntity } from '../rule/graph/split.ts'
import { slotOf } from '../rule/resolve/slots.ts'
import { hasSecret, maskSecrets } from '../rule/secret/secrets.ts'
import { memoryStating } from '../stating.ts'
import type { MemoryCommandPorts } from './ports.ts'

/** A person who asks waits for an index that is behind, and for an embedder that is not warm. */
const patience_ms = 3_000
const soon_ms = 14 * 24 * 60 * 60 * 1_000

export function memoryHandlers(ports: MemoryCommandPorts): CommandTable {
  const {
    store,
    clock,
    journal,
    memories,
    cycle,
    corrections,
    policies,
    graph,
    views,
    learned,
    exclusions,
    dropped,
    search,
    flush,
    review,
    agents,
    ending: signal,
  } = ports

  function quoteOf({ message_id, conversation, text }: MessageRecord): MemoryQuote {
    const conversation_id = journal.conversations.at(conversation)?.conversation_id
    const where = conversation_id === undefined ? {} : { conversation_id }
    return { message_id, ...where, excerpt: maskSecrets(text).slice(0, 2_000) }
  }

  return {
    async memory_search({ agent_id, conversation_id = null, query, memory_kinds, channels, limit = 10 }) {
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      const optional = { ...(memory_kinds ? { memory_kinds } : {}), ...(channels ? { channels } : {}) }
      return { ok: true, value: await search.search({ agent_id, conversation_id, query, limit, patience_ms, ...optional }) }
    },
    async memory_compact({ agent_id, conversation_id }) {
      const conversation = journal.conversations.get(conversation_id)
      if (!conversation || conversation.agent_id !== agent_id) return conversationNotFound(conversation_id)
      const { memories: written, resolution } = await flush.run(conversation_id, 'manual', signal)
      const compacted = await ports.compact(conversation_id)
      if (!compacted.ok) return compacted
      const { tokens_before, tokens_after, through_seq: compacted_through_seq, summary } = compacted.value
      const flushed_memory_ids = written.map(({ id }) => id)
      return { ok: true, value: { flushed_memory_ids, resolution, tokens_before, tokens_after, compacted_through_seq, summary } }
    },
    async memory_run_heartbeat_review({ agent_id, conversation_id = null }) {
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      if (conversation_id !== null && !journal.conversations.get(conversation_id)) return conversationNotFound(conversation_id)
      return await review.run({ agent_id, conversation_id, trigger: 'manual', signal })
    },
    memory_record_user_correction(params) {
      const { agent_id, conversation_id = null, run_id = null, message_id = null, wrong, right } = params
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      if (right.trim() === '') return invalidField('right', 'must not be empty')
      if (hasSecret(right)) return invalidField('right', 'contains a secret, which is never stored in a memory; leave the secret out')
      const named = params.corrected_memory_id
      const corrected = named === undefined ? memoryStating(memories, wrong, { agent_id, conversation_id }) : memories.get(named)
      if (named !== undefined && !corrected) return { ok: false, code: 'not_found', message: `there is no memory ${named}` }
      if (message_id !== null && !journal.messages.get(message_id))
        return { ok: false, code: 'not_found', message: `there is no message ${message_id}` }
      return store.transaction(() => {
        const memory_kind = params.memory_kind ?? corrected?.memory_kind ?? 'semantic'
        const subject = corrected?.subject ?? 'user'
        const message = message_id === null ? undefined : journal.messages.get(message_id)
        const memory = memories.add({
          agent_id: corrected ? corrected.agent_id : memory_kind === 'preference' && ports.sharesPreferences(agent_id) ? null : agent_id,
          conversation_id: corrected?.conversation_id ?? conversation_id,
          only_in_conversation: corrected?.only_in_conversation ?? false,
          memory_kind,
          subject,
          slot: corrected?.slot ?? slotOf({ memory_kind, subject, content: right }),
          content: right.trim(),
          quotes: message?.persons_word ? [quoteOf(message)] : [],
          confidence: 1,
          source_type: 'user_correction',
          source_run_id: run_id,
          authority: 'person',
          confirmed_by_user: true,
          supersedes: corrected ? [corrected.id] : [],
          origin_key: null,
        })
        if (corrected && corrected.state === 'active') memories.move(corrected.id, 'supersede', 'replaced')
        const correction = corrections.add({
          ...{ agent_id, conversation_id, run_id, message_id, corrected_memory_id: corrected?.id ?? null, memory_id: memory.id },
          wrong: maskSecrets(wrong),
          right: right.trim(),
        })
        const resolution = cycle.apply([memory])
        if (corrected) resolution.superseded.push(...(resolution.superseded.includes(corrected.id) ? [] : [corrected.id]))
        for (const one of agents.ids()) learned.after([memory, ...(corrected ? [corrected] : [])], one)
        const about = run_id ?? (message && message.run !== null ? journal.runNo(message.run).run_id : null)
        if (about !== null) store.afterCommit(() => ports.corrected(about))
        return { ok: true, value: { correction, memory: memories.get(memory.id) ?? memory, resolution } }
      })
    },
    memory_get_relationship_graph({ agent_id, conversation_id, limit, cursor, ...filters }) {
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      const paging = { ...(limit === undefined ? {} : { limit }), ...(cursor === undefined ? {} : { cursor }) }
      const from = positionOf('memory_get_relationship_graph', paging, ['string'])
      if (!from.ok) return from
      const view = conversation_id === undefined ? ('agent' as const) : ('conversation' as const)
      const whole = views.of(agent_id, { view, ...(conversation_id === undefined ? {} : { conversation_id }), ...filters })
      const after = from.value === null ? '' : String(from.value[0])
      const wanted = whole.edges.filter(({ id }) => id > after).slice(0, limitOf(paging) + 1)
      const page = pageOf('memory_get_relationship_graph', wanted, ({ id }) => [id], paging)
      const ends = new Set(page.items.flatMap((edge) => [edge.subject_entity_id, edge.object_entity_id, ...edge.via_entity_ids]))
      // Entities without edges come with the first page.
      const entities = whole.entities.filter(({ id }) => ends.has(id) || (from.value === null && !whole.linked.has(id)))
      return { ok: true, value: { view, entities: [...entities], edges: page.items, next_cursor: page.next_cursor } }
    },
    memory_split_entity({ agent_id, entity_id, parts }) {
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      learned.refresh('graph')
      const entities = graph.entities(agent_id)
      const nodes = mergeEntities(applySplits(entities, graph.splits()))
      const node = nodes.find(({ id, source_entity_ids }) => id === entity_id || source_entity_ids?.includes(entity_id))
      if (!node) return { ok: false, code: 'not_found', message: `there is no entity ${entity_id} in the graph of this agent` }
      const split = splitEntity(node, parts)
      if (!split.ok) return invalidField('parts', `must contain every merged entity: ${split.message}`)
      store.transaction(() => graph.addSplit(split.split))
      const ids = new Set(parts.flat())
      const after = mergeEntities(applySplits(entities, graph.splits())).filter((one) =>
        (one.source_entity_ids ?? [one.id]).some((id) => ids.has(id)),
      )
      return { ok: true, value: { entities: after.map(({ split_from: _split, kept_with: _kept, ...entity }) => entity) } }
    },
    list_procedural_memory_policies: (paging) =>
      pageBy('list_procedural_memory_policies', policies.list(), ({ agent_id }) => agent_id ?? '', paging),
    get_procedural_memory_policy({ agent_id }) {
      if (agent_id !== null && !agents.has(agent_id)) return agentNotFound(agent_id)
      return { ok: true, value: policies.of(agent_id) }
    },
    set_procedural_memory_policy(policy) {
      if (policy.agent_id !== null && !agents.has(policy.agent_id)) return agentNotFound(policy.agent_id)
      return { ok: true, value: store.transaction(() => policies.set(policy)) }
    },
    memory_get_user_model({ agent_id }) {
      const who = agent_id ?? agents.ids()[0]
      if (who === undefined || !agents.has(who)) return agentNotFound(who)
      return { ok: true, value: { user_model: store.transaction(() => learned.userModel(who)) } }
    },
    memory_get_identity_profile({ agent_id, conversation_id = null }) {
      if (!agents.has(agent_id)) return agentNotFound(agent_id)
      return { ok: true, value: { identity_profile: store.transaction(() => learned.identity(agent_id, conversation_id)) } }
    },
    async memory_status() {
      const search_index = await ports.searchIndex()
      const counts = memories.counts(new Date(clock.now() + soon_ms).toISOString())
      return {
        ok: true,
        value: {
          memories: counts,
          background: ports.background(),
          running_reviews: [...review.running()],
          search_index,
          excluded: { agents: [...exclusions.list('agent')], conversations: [...exclusions.list('conversation')] },
          dropped: dropped.recent().flatMap(({ reason, count }) => {
            const known = memoryDropReasons.find((one) => one === reason)
            return known === undefined ? [] : [{ reason: known, count }]
          }),
          notes: notes(ports.background()),
        },
      }
    },
  }
}

function notes({ enabled, model, tokens_today, daily_tokens }: ReturnType<MemoryCommandPorts['background']>): string[] {
  const here = 'Memories stay on this device and are not synchronized.'
  const rules =
    'Only local rules are used, which understand English. In other languages you can search what was said, but nothing is remembered automatically.'
  if (!enabled || model === null) return [here, rules]
  return tokens_today >= daily_tokens ? [here, `Today's background token budget is used up. ${rules}`] : [here]
}
