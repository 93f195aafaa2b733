// The reviews of an agent: the one that is running, and the last one. Both are known to the runtime, so they are the same on every page.
import type { MemoryHeartbeatReview, RunningReview } from '@tandem/contract/memory'
import { useState } from 'react'
import { useRuntimeClient } from '../../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { memoryWords } from '../../strings/memory.ts'

/** A review that another window or a terminal started begins with a flush. */
const reviewEvents = /^(?:memory_flush_|heartbeat_review_)/
const progress_ms = 1_000

export interface ReviewsOfAgent {
  readonly isRunning: boolean
  readonly running: RunningReview | undefined
  readonly last: MemoryHeartbeatReview | undefined
  start(): Promise<void>
}

export function useReviews(agent_id: string): ReviewsOfAgent {
  const client = useRuntimeClient()
  const version = useNewestEventNumber(reviewEvents)
  const [isStarting, setStarting] = useState(false)
  const [isPolled, setPolled] = useState(false)
  const status = useCommand('memory_status', {}, { version, ...(isPolled || isStarting ? { every_ms: progress_ms } : {}) })
  const running = status.state.state === 'ready' ? status.state.value.running_reviews.find((one) => one.agent_id === agent_id) : undefined
  if (isPolled !== (running !== undefined)) setPolled(running !== undefined)
  const isRunning = isStarting || running !== undefined
  // Read again when it has ended: a failure has no event.
  const reviews = useCommand('memory_list_reviews', { agent_id, limit: 1 }, { version: `${version} ${isRunning}` })
  return {
    isRunning,
    running,
    last: reviews.state.state === 'ready' ? reviews.state.value.items[0] : undefined,
    async start() {
      setStarting(true)
      await client.call(memoryWords.doing.review, 'memory_run_heartbeat_review', { agent_id })
      await status.reload()
      setStarting(false)
    },
  }
}
