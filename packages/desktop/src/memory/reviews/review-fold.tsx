// One review, and what it found.
import { heartbeatExtractions, type MemoryHeartbeatReview } from '@tandem/contract/memory'
import { followLink, memoryAddress } from '../../address.ts'
import { Badge } from '../../part/badge.tsx'
import { Fold } from '../../part/fold.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { reviewResult } from './review-result.ts'

const told = memoryWords.reviews
const extractions = Object.keys(heartbeatExtractions) as (keyof typeof heartbeatExtractions)[]

/** `agent`: its name, where reviews of several agents are listed. */
export function ReviewFold({ review, agent }: { review: MemoryHeartbeatReview; agent?: string }) {
  const { completed_at, trigger, failure, resolution } = review
  return (
    <Fold
      summary={
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {formatTime(completed_at)} {agent !== undefined && <span>{agent}</span>}
          <Badge>{told.triggers[trigger]}</Badge>
          {failure !== null && <Badge tone="bad">{told.failedBadge}</Badge>}
          <span className="min-w-0 break-words text-faint text-sm">{reviewResult(review)}</span>
          {resolution.conflicting.length > 0 && <Badge tone="bad">{told.conflicts(resolution.conflicting.length)}</Badge>}
        </span>
      }
    >
      {() => (failure === null ? <Findings review={review} /> : <p className="text-soft">{told.failedNote}</p>)}
    </Fold>
  )
}

function Findings({ review: { summary, extracted } }: { review: MemoryHeartbeatReview }) {
  return (
    <>
      {summary !== '' && <p className="mb-2 whitespace-pre-wrap break-words">{visibleText(summary)}</p>}
      {extractions
        .filter((name) => extracted[name].length > 0)
        .map((name) => (
          <p key={name} className="text-sm">
            <span className="text-faint">{told.extracts[name]}:</span>{' '}
            {extracted[name].map((id, at) => (
              <a key={id} href={memoryAddress(id)} onClick={followLink} className="mr-2 text-cloud underline underline-offset-4">
                {memoryWords.graph.memoryNumber(at + 1)}
              </a>
            ))}
          </p>
        ))}
    </>
  )
}
