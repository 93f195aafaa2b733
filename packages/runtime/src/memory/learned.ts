// What follows from memories: the relationship graph of their conversation, what is known about the user, and who the agent is. All of it is
// computed from the memories that hold now, so it is right after an edit, a restore or "forget" too. It takes longer than writing a memory,
// so it happens a moment later, or when it is read.
import type { Agent } from '@tandem/contract/agent'
import type { AgentIdentityProfile, Memory, UserModel } from '@tandem/contract/memory'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import type { GraphRecords } from './record/graph-records.ts'
import type { Memories } from './record/memories.ts'
import type { LearnedPart, Outdated, OutdatedPart } from './record/outdated.ts'
import { emptyUserModel, type Profiles } from './record/profiles.ts'
import { edgesFrom, entitiesOf } from './rule/graph/edges.ts'
import { entityLookup } from './rule/graph/entity-lookup.ts'
import { inferEdges } from './rule/graph/infer.ts'
import type { CadenceInput, WrittenMessage } from './rule/profile/cadence.ts'
import { identityFrom } from './rule/profile/identity.ts'
import { profilesFrom } from './rule/profile/profile.ts'

export interface LearnedPorts {
  readonly store: Store
  readonly journal: Journal
  readonly memories: Memories
  readonly profiles: Profiles
  readonly graph: GraphRecords
  readonly outdated: Outdated
  /** A process that ends soon leaves the rest to the next one. */
  readonly life: FeatureContext['life']
  agent(agent_id: string): Agent | undefined
  isRecallable(memory: Memory): boolean
  log(line: string): void
}

export interface Learned {
  /** The memories were written, changed or removed: in the same transaction. */
  after(memories: readonly Memory[], agent_id: string): void
  /** Computes again what is outdated, or only that part of it. Called before it is read. */
  refresh(part?: LearnedPart): void
  /** Continues what an earlier process has left. */
  continue(): void
  stop(): void
  /** Makes sure that both profiles exist. */
  bootstrap(agent_id: string, conversation_id: string | null): void
  userModel(agent_id: string, conversation_id: string | null): UserModel
  identity(agent_id: string, conversation_id: string | null): AgentIdentityProfile
}

const mostMemories = 2_000
const mostMessages = 500
/** Several memories are often written one after the other. */
const refresh_ms = 1_000

export function openLearned(ports: LearnedPorts): Learned {
  const { store, journal, memories, profiles, graph, outdated, life, agent, isRecallable, log } = ports
  let cancelRefresh: (() => void) | null = null
  let isStopped = false

  /** What the user said about themselves or about the agent. */
  function said(subject: 'user' | 'agent', agent_id: string): readonly Memory[] {
    return memories.page({ agent_id, states: ['active'], authority: 'person', subject }, null, mostMemories).filter(isRecallable)
  }

  /** When the user writes, from their latest messages. */
  function cadence(agent_id: string): CadenceInput {
    const { sql } = store
    const rows = sql.all<WrittenMessage & { readonly created_at: number }>`
      SELECT m.message_id, c.conversation_id, m.created_at FROM messages m JOIN conversations c ON c.no = m.conversation
      WHERE c.agent_id = ${agent_id} AND m.role = 'user' AND m.set_aside = 0 AND (m.author IS NULL OR m.author = 'person')
        AND NOT EXISTS (SELECT 1 FROM memory_exclusions e WHERE e.kind = 'conversation' AND e.id = c.conversation_id)
      ORDER BY m.no DESC LIMIT ${mostMessages}`
    return {
      hours: rows.map(({ created_at }) => new Date(created_at).getHours()),
      messages: rows.map(({ created_at: _at, ...message }) => message),
    }
  }

  function userModel(agent_id: string, conversation_id: string | null): UserModel {
    const before = profiles.userModel(agent_id, conversation_id) ?? profiles.setUserModel(agent_id, conversation_id, emptyUserModel)
    return profiles.setUserModel(agent_id, conversation_id, profilesFrom(said('user', agent_id), before, cadence(agent_id)))
  }

  function identity(agent_id: string, conversation_id: string | null): AgentIdentityProfile {
    const kept = agent(agent_id)
    const { name, description, instructions } = kept ?? { name: agent_id, description: '', instructions: '' }
    const who = kept?.identity ?? { role: 'agent', tone: null }
    return profiles.setIdentity(
      agent_id,
      conversation_id,
      identityFrom({ agent_id, conversation_id, name, description, identity: who, instructions }, said('agent', agent_id)),
    )
  }

  /** What stays in its conversation is not in the graph: the graph of an agent is that of all its conversations. */
  function updateGraph(agent_id: string, conversation_id: string | null): void {
    const list = memories
      .learnedIn(conversation_id, agent_id, mostMemories)
      .filter((memory) => !memory.only_in_conversation && isRecallable(memory))
      .toReversed()
    const before = graph.entities(agent_id, conversation_id)
    const lookup = entityLookup(before)
    const stored = mentionedIn(list).map((entity) => {
      const match = lookup.find(entity)
      if (match) lookup.set(match.place, undefined)
      const { canonical_name, aliases, entity_kind, ontology_domain, mention_count } = entity
      return graph.putEntity({
        ...(match ? { id: match.entity.id } : {}),
        agent_id,
        conversation_id,
        entity_kind,
        canonical_name: canonical_name.slice(0, 500),
        ontology_domain,
        aliases: [...aliases].slice(0, 100),
        mention_count,
      })
    })
    const kept = new Set(stored.map(({ id }) => id))
    graph.removeEntities(before.filter(({ id }) => !kept.has(id)).map(({ id }) => id))
    const stated = list.flatMap((memory) => edgesFrom(memory, stored))
    graph.setEdges(
      agent_id,
      conversation_id,
      [...summed(stated), ...inferEdges(stated)].map((edge) => ({ ...edge, agent_id, conversation_id })),
    )
  }

  function compute({ part, agent_id, conversation_id }: OutdatedPart): void {
    if (part === 'graph') updateGraph(agent_id, conversation_id)
    else if (part === 'user_model') userModel(agent_id, null)
    else identity(agent_id, null)
  }

  /** Returns whether there was one. */
  function refreshOne(part?: LearnedPart): boolean {
    const first = outdated.first(part)
    if (!first) return false
    store.transaction(() => {
      compute(first)
      outdated.remove(first)
    })
    return true
  }

  /** One part at a time, so that nothing else has to wait for long. */
  function refreshSoon(after_ms: number): void {
    if (life !== 'resident' || isStopped || cancelRefresh) return
    cancelRefresh = store.clock.after(after_ms, () => {
      cancelRefresh = null
      try {
        if (refreshOne()) refreshSoon(0)
      } catch (error) {
        log(`memory: the graph and the profiles could not be updated: ${String(error)}`)
      }
    })
  }

  return {
    refresh(part) {
      while (refreshOne(part));
    },
    continue: () => refreshSoon(refresh_ms),
    stop() {
      isStopped = true
      cancelRefresh?.()
    },
    after(changed, agent_id) {
      if (changed.length === 0) return
      // What they replaced may have been learned in other conversations.
      const replaced = memories.all(memories.all(changed.map(({ id }) => id)).flatMap(({ supersedes }) => supersedes))
      for (const conversation_id of new Set([...changed, ...replaced].map((memory) => memory.conversation_id))) {
        const owner = conversation_id === null ? undefined : journal.conversations.get(conversation_id)?.agent_id
        outdated.add({ part: 'graph', agent_id: owner ?? agent_id, conversation_id })
      }
      for (const [subject, part] of [
        ['user', 'user_model'],
        ['agent', 'identity'],
      ] as const)
        if (changed.some((memory) => memory.subject === subject)) outdated.add({ part, agent_id, conversation_id: null })
      store.afterCommit(() => refreshSoon(refresh_ms))
    },
    bootstrap(agent_id, conversation_id) {
      store.transaction(() => {
        userModel(agent_id, conversation_id)
        identity(agent_id, conversation_id)
      })
    },
    userModel,
    identity,
  }
}

type Mentioned = ReturnType<typeof entitiesOf>[number]

/** The entities that the memories mention, in the order of their first mention. */
function mentionedIn(memories: readonly Memory[]): readonly Mentioned[] {
  const found: Mentioned[] = []
  const lookup = entityLookup<Mentioned>()
  for (const entity of memories.flatMap(entitiesOf)) {
    const same = lookup.find(entity)
    const place = same?.place ?? found.length
    found[place] = same ? joined(same.entity, entity) : entity
    lookup.set(place, found[place])
  }
  return found
}

/** The same entity, mentioned twice: the longer name is its name. */
function joined(left: Mentioned, right: Mentioned): Mentioned {
  const [name, other] =
    right.canonical_name.length > left.canonical_name.length
      ? [right.canonical_name, left.canonical_name]
      : [left.canonical_name, right.canonical_name]
  const aliases = new Set([...left.aliases, ...right.aliases, other])
  aliases.delete(name)
  return { ...left, canonical_name: name, aliases: [...aliases], mention_count: left.mention_count + right.mention_count }
}

type Stated = ReturnType<typeof edgesFrom>[number]

/** Edges with the same ends are one, with the memories of all. */
function summed(edges: readonly Stated[]): readonly Stated[] {
  const byEnds = new Map<string, Stated>()
  for (const edge of edges) {
    const key = [edge.edge_kind, edge.subject_entity_id, edge.object_entity_id].join('\n')
    const before = byEnds.get(key)
    byEnds.set(
      key,
      before
        ? {
            ...before,
            edge_weight: Math.min(1_000_000, before.edge_weight + edge.edge_weight),
            memory_ids: [...new Set([...before.memory_ids, ...edge.memory_ids])],
            ontology_tags: [...new Set([...before.ontology_tags, ...edge.ontology_tags])].slice(0, 50),
          }
        : edge,
    )
  }
  return [...byEnds.values()]
}
