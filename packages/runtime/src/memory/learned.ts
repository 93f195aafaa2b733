// What follows from memories: the relationship graph of their conversation, what is known about the user, and who the agent is. All of it is
// computed from the memories that hold now, so it is right after an edit, a restore or "forget" too. It takes longer than writing a memory,
// so it happens a moment later, in slices, or when it is read.
import type { Agent } from '@tandem/contract/agent'
import type { AgentIdentityProfile, Memory, UserModel } from '@tandem/contract/memory'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Journal } from '../journal/journal.ts'
import { atOnce, type SlicedWork } from '../scheduler/slices.ts'
import type { Store } from '../store/store.ts'
import { updateGraph } from './graph-update.ts'
import type { GraphRecords } from './record/graph-records.ts'
import type { Memories } from './record/memories.ts'
import { newestFirst } from './record/newest-first.ts'
import type { LearnedPart, Outdated, OutdatedPart } from './record/outdated.ts'
import { emptyUserModel, type Profiles } from './record/profiles.ts'
import type { CadenceInput, WrittenMessage } from './rule/profile/cadence.ts'
import { identityFrom } from './rule/profile/identity.ts'
import { findProfiles } from './rule/profile/profile.ts'

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
  isExcluded(agent_id: string, conversation_id: string): boolean
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
  userModel(agent_id: string): UserModel
  identity(agent_id: string, conversation_id: string | null): AgentIdentityProfile
}

const mostMessages = 500
/** Several memories are often written one after the other. */
const refresh_ms = 1_000
/** Others wait for at most this long, and for one step more. */
const slice_ms = 5

export function openLearned(ports: LearnedPorts): Learned {
  const { store, journal, memories, profiles, outdated, life, agent, isRecallable, isExcluded, log } = ports
  let cancelRefresh: (() => void) | null = null
  let isStopped = false
  /** What is being computed in slices; dropped when the memories that it is computed from change. */
  let current: { readonly part: OutdatedPart; readonly work: SlicedWork<void> } | null = null

  /** What the user said about themselves or about the agent. */
  function* said(subject: 'user' | 'agent', agent_id: string): SlicedWork<readonly Memory[]> {
    const found = yield* newestFirst((before, limit) => memories.said(subject, agent_id, before, limit))
    const list: Memory[] = []
    for (const memory of found) {
      if (isRecallable(memory)) list.push(memory)
      yield
    }
    return list
  }

  /** When the user writes, from their latest messages. */
  function cadence(agent_id: string): CadenceInput {
    const { sql } = store
    const rows: (WrittenMessage & { readonly created_at: number })[] = []
    const excluded = new Map<string, boolean>()
    const isLeftOut = ({ conversation_id }: WrittenMessage) => {
      const known = excluded.get(conversation_id) ?? isExcluded(agent_id, conversation_id)
      excluded.set(conversation_id, known)
      return known
    }
    for (let before = Number.MAX_SAFE_INTEGER; rows.length < mostMessages; ) {
      const found = sql.all<WrittenMessage & { readonly created_at: number; readonly no: number }>`
        SELECT m.no, m.message_id, c.conversation_id, m.created_at FROM messages m JOIN conversations c ON c.no = m.conversation
        WHERE c.agent_id = ${agent_id} AND m.role = 'user' AND m.set_aside = 0 AND (m.author IS NULL OR m.author = 'person')
          AND m.no < ${before}
        ORDER BY m.no DESC LIMIT ${mostMessages}`
      rows.push(...found.filter((one) => !isLeftOut(one)).map(({ no: _no, ...one }) => one))
      if (found.length < mostMessages) break
      before = found.at(-1)?.no ?? 0
    }
    const newest = rows.slice(0, mostMessages)
    return {
      hours: newest.map(({ created_at }) => new Date(created_at).getHours()),
      messages: newest.map(({ created_at: _at, ...message }) => message),
    }
  }

  const existingUserModel = (agent_id: string, conversation_id: string | null) =>
    profiles.userModel(agent_id, conversation_id) ?? profiles.setUserModel(agent_id, conversation_id, emptyUserModel)

  function* updateUserModel(agent_id: string): SlicedWork<UserModel> {
    const before = existingUserModel(agent_id, null)
    const known = yield* said('user', agent_id)
    const written = cadence(agent_id)
    yield
    const parts = yield* findProfiles(known, before, written)
    return profiles.setUserModel(agent_id, null, parts)
  }

  function identityParts(agent_id: string, conversation_id: string | null, known: readonly Memory[]) {
    const kept = agent(agent_id)
    const { name, description, instructions } = kept ?? { name: agent_id, description: '', instructions: '' }
    const who = kept?.identity ?? { role: 'agent', tone: null }
    return identityFrom({ agent_id, conversation_id, name, description, identity: who, instructions }, known)
  }

  function* updateIdentity(agent_id: string): SlicedWork<AgentIdentityProfile> {
    const known = yield* said('agent', agent_id)
    return profiles.setIdentity(agent_id, null, identityParts(agent_id, null, known))
  }

  /**
   * A conversation has profiles without the texts of memories: these would have to be computed again in every conversation when one memory
   * is forgotten. What holds in it is computed when it is read.
   */
  const conversationIdentity = (agent_id: string, conversation_id: string) =>
    profiles.setIdentity(agent_id, conversation_id, identityParts(agent_id, conversation_id, []))

  function* compute(outdatedPart: OutdatedPart): SlicedWork<void> {
    const { part, agent_id, conversation_id } = outdatedPart
    if (part === 'graph') yield* updateGraph(ports, agent_id, conversation_id)
    else if (part === 'user_model') yield* updateUserModel(agent_id)
    else yield* updateIdentity(agent_id)
    outdated.remove(outdatedPart)
  }

  /** A part that is outdated again is computed from the start. */
  function add(part: OutdatedPart): void {
    outdated.add(part)
    if (current && isSame(current.part, part)) current = null
  }

  /** Returns whether there is more to do. */
  function refreshSlice(): boolean {
    if (!current) {
      const part = outdated.first()
      if (!part) return false
      current = { part, work: compute(part) }
    }
    const { work } = current
    const began = store.clock.elapsed()
    while (store.clock.elapsed() - began < slice_ms) {
      if (!work.next().done) continue
      current = null
      break
    }
    return true
  }

  function refreshSoon(after_ms: number): void {
    if (life !== 'resident' || isStopped || cancelRefresh) return
    cancelRefresh = store.clock.after(after_ms, () => {
      cancelRefresh = null
      try {
        if (refreshSlice()) refreshSoon(0)
      } catch (error) {
        current = null
        log(`memory: the graph and the profiles could not be updated: ${String(error)}`)
      }
    })
  }

  return {
    refresh(part) {
      for (let next = outdated.first(part); next; next = outdated.first(part)) {
        const found = next
        current = null
        store.transaction(() => atOnce(compute(found)))
      }
    },
    continue: () => refreshSoon(refresh_ms),
    stop() {
      isStopped = true
      current = null
      cancelRefresh?.()
    },
    after(changed, agent_id) {
      if (changed.length === 0) return
      // What they replaced may have been learned in other conversations.
      const replaced = memories.all(memories.all(changed.map(({ id }) => id)).flatMap(({ supersedes }) => supersedes))
      for (const conversation_id of new Set([...changed, ...replaced].map((memory) => memory.conversation_id))) {
        const owner = conversation_id === null ? undefined : journal.conversations.get(conversation_id)?.agent_id
        add({ part: 'graph', agent_id: owner ?? agent_id, conversation_id })
      }
      for (const [subject, part] of [
        ['user', 'user_model'],
        ['agent', 'identity'],
      ] as const)
        if (changed.some((memory) => memory.subject === subject)) add({ part, agent_id, conversation_id: null })
      store.afterCommit(() => refreshSoon(refresh_ms))
    },
    bootstrap(agent_id, conversation_id) {
      store.transaction(() => {
        if (conversation_id !== null) {
          existingUserModel(agent_id, conversation_id)
          conversationIdentity(agent_id, conversation_id)
          return
        }
        atOnce(updateUserModel(agent_id))
        atOnce(updateIdentity(agent_id))
      })
    },
    userModel: (agent_id) => atOnce(updateUserModel(agent_id)),
    identity(agent_id, conversation_id) {
      if (conversation_id === null) return atOnce(updateIdentity(agent_id))
      const known = atOnce(said('agent', agent_id))
      return { ...conversationIdentity(agent_id, conversation_id), ...identityParts(agent_id, conversation_id, known) }
    },
  }
}

function isSame(left: OutdatedPart, right: OutdatedPart): boolean {
  return left.part === right.part && left.agent_id === right.agent_id && left.conversation_id === right.conversation_id
}
