// `memory_run_heartbeat_review()`: looks at what happened since the last review and keeps what it finds, for one agent.
import {
  type HeartbeatExtraction,
  heartbeatExtractions,
  type Memory,
  type MemoryHeartbeatReview,
  type RunningReview,
} from '@tandem/contract/memory'
import { timestamp } from '../clock/clock.ts'
import type { Events } from '../event/events.ts'
import type { Outcome } from '../feature/outcome.ts'
import type { Store } from '../store/store.ts'
import type { Distill } from './distill-runs.ts'
import type { Flush } from './flush.ts'
import type { Memories } from './record/memories.ts'
import type { Reviews } from './record/reviews.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'

export interface ReviewPorts {
  readonly store: Store
  readonly events: Events
  readonly memories: Memories
  readonly reviews: Reviews
  readonly flush: Flush
  readonly distill: Pick<Distill, 'run'>
  readonly cycle: ResolutionCycle
  /** Profiles and relationships, in the transaction of the review. */
  learned(memories: readonly Memory[], agent_id: string): void
  log(line: string): void
}

export interface ReviewRequest {
  readonly agent_id: string
  readonly conversation_id: string | null
  readonly trigger: MemoryHeartbeatReview['trigger']
  readonly signal: AbortSignal
}

export interface Review {
  /** Refused while another review of the agent is running. A failure is recorded, and thrown. */
  run(request: ReviewRequest): Promise<Outcome<MemoryHeartbeatReview>>
  running(): readonly RunningReview[]
  /** Messages since the last review. */
  waiting(agent_id: string): { readonly messages: number; readonly since: string | null }
}

const longestFailure = 500

/** Words of a lesson: what to do differently, and why. */
const lesson =
  /\b(?:lesson|learned|learnt|next time|in future|in the future|mistake|should have|shouldn't have|turns? out|the (?:problem|cause|reason) was|because of|root cause|broke|caused by)\b/i

export function openReview({ store, events, memories, reviews, flush, distill, cycle, learned, log }: ReviewPorts): Review {
  const { sql, clock, newId } = store
  /** By agent. */
  const running = new Map<string, RunningReview>()

  function conversationsSince(agent_id: string, after: number) {
    return sql.all<{ conversation_id: string; last: number; messages: number }>`
      SELECT c.conversation_id, max(m.no) AS last, count(*) AS messages FROM messages m JOIN conversations c ON c.no = m.conversation
      WHERE c.agent_id = ${agent_id} AND m.no > ${after} AND m.set_aside = 0
      GROUP BY c.no ORDER BY c.no`
  }

  async function review({ agent_id, conversation_id, trigger, signal }: ReviewRequest, started_at: string): Promise<MemoryHeartbeatReview> {
    const begun = clock.elapsed()
    const last = conversation_id === null ? (reviews.last(agent_id)?.through_message ?? 0) : 0
    const all = conversationsSince(agent_id, last)
    const wanted = conversation_id === null ? all : all.filter((one) => one.conversation_id === conversation_id)
    const read = (conversations_read: number) =>
      running.set(agent_id, { agent_id, conversation_id, trigger, started_at, conversations: wanted.length, conversations_read })
    const written = new Set<string>()
    for (const [index, one] of wanted.entries()) {
      read(index)
      signal.throwIfAborted()
      const flushed = await flush.run(one.conversation_id, 'heartbeat_review', signal)
      for (const { id } of flushed.memories) written.add(id)
    }
    read(wanted.length)
    // Procedures come from several conversations: a review of one looks for none.
    const distilled = conversation_id === null ? await distill.run(agent_id, signal) : []
    return store.transaction(() => {
      const ids = new Set(wanted.map((one) => one.conversation_id))
      const since = conversation_id === null ? (reviews.last(agent_id)?.completed_at ?? null) : null
      const isNew = (memory: Memory) => since === null || written.has(memory.id) || memory.updated_at > since || writtenAt(memory) > since
      const found = memories
        .page({ agent_id }, null, 5_000)
        .filter((memory) => memory.conversation_id !== null && ids.has(memory.conversation_id) && isNew(memory))
      const known = new Set(found.map(({ id }) => id))
      const fresh = [...found, ...distilled.filter(({ id }) => !known.has(id))]
      const resolution = cycle.apply(fresh)
      learned(fresh, agent_id)
      const extracted = extractedFrom(fresh)
      const completed: MemoryHeartbeatReview = {
        id: newId(),
        agent_id,
        conversation_id,
        trigger,
        summary: summaryOf(wanted.length, fresh.length, extracted, resolution),
        messages_reviewed: wanted.reduce((sum, { messages }) => sum + messages, 0),
        memories_reviewed: fresh.length,
        extracted,
        resolution,
        failure: null,
        started_at,
        completed_at: timestamp(clock.now()),
      }
      reviews.add(completed, conversation_id === null ? Math.max(last, ...wanted.map((one) => one.last)) : 0)
      const data = { review_id: completed.id, trigger, extracted, resolution, duration_ms: Math.round(clock.elapsed() - begun) }
      events.emit('heartbeat_review_completed', { agent_id, ...(conversation_id === null ? {} : { conversation_id }) }, data)
      return completed
    })
  }

  function recordFailure({ agent_id, conversation_id, trigger }: ReviewRequest, started_at: string, error: unknown): void {
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, longestFailure) || 'unknown error'
    const failed: MemoryHeartbeatReview = {
      ...{ id: newId(), agent_id, conversation_id, trigger, summary: '', messages_reviewed: 0, memories_reviewed: 0 },
      ...{ extracted: extractedFrom([]), resolution: { conflicting: [], superseded: [], archived: [] }, failure },
      ...{ started_at, completed_at: timestamp(clock.now()) },
    }
    try {
      store.transaction(() => reviews.add(failed, 0))
    } catch (second) {
      log(`memory: the failure of a review could not be recorded: ${String(second)}`)
    }
  }

  return {
    waiting(agent_id) {
      const last = reviews.last(agent_id)
      const row = sql.get<{ messages: number }>`
        SELECT count(*) AS messages FROM messages m JOIN conversations c ON c.no = m.conversation
        WHERE c.agent_id = ${agent_id} AND m.no > ${last?.through_message ?? 0} AND m.set_aside = 0`
      return { messages: row?.messages ?? 0, since: last?.completed_at ?? null }
    },
    running: () => [...running.values()],
    async run(request) {
      const { agent_id, conversation_id, trigger, signal } = request
      if (running.has(agent_id))
        return { ok: false, code: 'review_running', message: 'the conversations of this agent are already being reviewed' }
      const started_at = timestamp(clock.now())
      running.set(agent_id, { agent_id, conversation_id, trigger, started_at, conversations: 0, conversations_read: 0 })
      try {
        return { ok: true, value: await review(request, started_at) }
      } catch (error) {
        if (!signal.aborted) recordFailure(request, started_at, error)
        throw error
      } finally {
        running.delete(agent_id)
      }
    },
  }

  function extractedFrom(fresh: readonly Memory[]): MemoryHeartbeatReview['extracted'] {
    const empty = Object.fromEntries(Object.keys(heartbeatExtractions).map((name) => [name, [] as string[]])) as Record<
      HeartbeatExtraction,
      string[]
    >
    for (const { id, memory_kind, content } of fresh) {
      if (memory_kind === 'semantic' || memory_kind === 'episodic') {
        if (lesson.test(content)) empty.lessons_learned.push(id)
      } else empty[memory_kind].push(id)
    }
    return empty
  }
}

/** A memory has the time of its message; its id has the time at which it was written. */
function writtenAt({ id, created_at }: Memory): string {
  const [, high = '', low = ''] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i.exec(id) ?? []
  return high === '' ? created_at : timestamp(Number.parseInt(high + low, 16))
}

function summaryOf(
  conversations: number,
  memories: number,
  extracted: MemoryHeartbeatReview['extracted'],
  { superseded, conflicting }: MemoryHeartbeatReview['resolution'],
): string {
  const count = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
  const found = [
    count(extracted.preference.length, 'preference'),
    count(extracted.decision.length, 'decision'),
    count(extracted.procedural.length, 'procedure'),
    count(extracted.relationship.length, 'relationship'),
    count(extracted.lessons_learned.length, 'lesson'),
    count(memories - Object.values(extracted).flat().length, 'other fact or event', 'other facts and events'),
  ]
  return `${count(conversations, 'conversation')} reviewed: ${found.join(', ')}. ${superseded.length} replaced, ${count(conflicting.length, 'conflict')}.`
}
