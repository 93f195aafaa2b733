// The progress of a review on a terminal: one line that is overwritten, and erased when the review has ended.
import type { RunningReview } from '@tandem/contract/memory'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import { eraseLine } from '../terminal/style.ts'

const pause_ms = 500

/** Returns a function that erases it. Nothing is shown if standard error is not a terminal. */
export function showReviewProgress(
  client: Pick<RuntimeClient, 'call'>,
  agent_id: string,
  out: NodeJS.WriteStream = process.stderr,
): () => void {
  if (!out.isTTY) return () => undefined
  let isOver = false
  const show = (running: RunningReview | undefined) => out.write(`${eraseLine}${progressText(running)}`)
  const look = async () => {
    const status = await client.call('memory_status', {})
    if (!isOver && status.ok) show(status.value.running_reviews.find((one) => one.agent_id === agent_id))
  }
  show(undefined)
  const timer = setInterval(() => void look(), pause_ms)
  return () => {
    isOver = true
    clearInterval(timer)
    out.write(eraseLine)
  }
}

export function progressText(running: Pick<RunningReview, 'conversations' | 'conversations_read'> | undefined): string {
  if (!running || running.conversations === 0) return 'Reviewing recent conversations…'
  const { conversations, conversations_read } = running
  return conversations_read < conversations
    ? `Reviewing conversation ${conversations_read + 1} of ${conversations}…`
    : 'Looking for procedures in recent runs…'
}
