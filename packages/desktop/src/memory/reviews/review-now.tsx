import { Button } from '../../part/form/button.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { formatTime } from '../../text/time.ts'
import { reviewResult } from './review-result.ts'
import type { ReviewsOfAgent } from './use-reviews.ts'

const told = memoryWords.reviews

/** Starts a review, shows its progress, and afterwards what it did. */
export function ReviewNow({ reviews: { isRunning, running, last, start } }: { reviews: ReviewsOfAgent }) {
  const { conversations, conversations_read } = running ?? { conversations: 0, conversations_read: 0 }
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button disabled={isRunning} onClick={start}>
          {told.run}
        </Button>
        {isRunning && (
          <>
            <progress
              aria-label={told.title}
              {...(conversations === 0 ? {} : { value: conversations_read, max: conversations })}
              className="h-1.5 w-32 accent-(--cloud)"
            />
            <span className="text-faint text-sm">{told.progress(conversations_read, conversations)}</span>
          </>
        )}
      </div>
      <p role="status" className="break-words text-soft text-sm empty:hidden">
        {isRunning ? told.runningNote : last && `${told.last(formatTime(last.completed_at))} ${reviewResult(last)}`}
      </p>
    </div>
  )
}
