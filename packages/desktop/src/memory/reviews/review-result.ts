// What a review did, in one sentence. Pure.
import type { MemoryHeartbeatReview } from '@tandem/contract/memory'
import { memoryWords } from '../../strings/memory.ts'
import { visibleText } from '../../text/visible.ts'

const told = memoryWords.reviews

export function reviewResult({ failure, messages_reviewed, memories_reviewed }: MemoryHeartbeatReview): string {
  if (failure !== null) return told.failed(visibleText(failure))
  return told.done(messages_reviewed, memories_reviewed)
}
