// The heartbeat reviews of each agent, and how far they looked.
import type { MemoryHeartbeatReview } from '@tandem/contract/memory'
import type { Store } from '../../store/store.ts'

export interface Reviews {
  /** Of the reviews of an agent that failed, only the newest are kept. */
  add(review: MemoryHeartbeatReview, through_message: number): void
  /** Newest first. */
  page(agent_id: string | null, before: string | null, limit: number): readonly MemoryHeartbeatReview[]
  /** The last message that a completed review of the agent looked at, and when that was. */
  last(agent_id: string): { readonly through_message: number; readonly completed_at: string } | null
  /** Takes memories out of what reviews list. */
  eraseOf(memory_ids: readonly string[]): void
}

interface ReviewRow extends Omit<MemoryHeartbeatReview, 'extracted' | 'resolution'> {
  readonly extracted: string
  readonly resolution: string
  readonly through_message: number
}

const mostFailures = 20

export function openReviews({ sql }: Pick<Store, 'sql'>): Reviews {
  const toReview = ({ through_message: _through, extracted, resolution, ...row }: ReviewRow): MemoryHeartbeatReview => ({
    ...row,
    extracted: JSON.parse(extracted),
    resolution: JSON.parse(resolution),
  })
  return {
    add(review, through_message) {
      sql.run`
        INSERT INTO memory_heartbeat_reviews (id, agent_id, conversation_id, trigger, summary, messages_reviewed, memories_reviewed, extracted,
          resolution, failure, started_at, completed_at, through_message)
        VALUES (${review.id}, ${review.agent_id}, ${review.conversation_id}, ${review.trigger}, ${review.summary},
          ${review.messages_reviewed}, ${review.memories_reviewed}, ${JSON.stringify(review.extracted)},
          ${JSON.stringify(review.resolution)}, ${review.failure}, ${review.started_at}, ${review.completed_at}, ${through_message})`
      sql.run`
        DELETE FROM memory_heartbeat_reviews
        WHERE agent_id = ${review.agent_id} AND failure IS NOT NULL AND id NOT IN (
          SELECT id FROM memory_heartbeat_reviews WHERE agent_id = ${review.agent_id} AND failure IS NOT NULL
          ORDER BY id DESC LIMIT ${mostFailures})`
    },
    page: (agent_id, before, limit) =>
      sql.all<ReviewRow>`
        SELECT * FROM memory_heartbeat_reviews
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`.map(toReview),
    last: (agent_id) =>
      sql.get<{ through_message: number; completed_at: string }>`
        SELECT through_message, completed_at FROM memory_heartbeat_reviews WHERE agent_id = ${agent_id} AND conversation_id IS NULL AND failure IS NULL
        ORDER BY through_message DESC LIMIT 1` ?? null,
    eraseOf(memory_ids) {
      const gone = new Set(memory_ids)
      const without = (lists: Record<string, readonly string[]>) =>
        JSON.stringify(Object.fromEntries(Object.entries(lists).map(([name, ids]) => [name, ids.filter((id) => !gone.has(id))])))
      for (const { id, extracted, resolution } of sql.all<ReviewRow>`SELECT * FROM memory_heartbeat_reviews`) {
        const next = [without(JSON.parse(extracted)), without(JSON.parse(resolution))] as const
        if (next[0] === extracted && next[1] === resolution) continue
        sql.run`UPDATE memory_heartbeat_reviews SET extracted = ${next[0]}, resolution = ${next[1]} WHERE id = ${id}`
      }
    },
  }
}
