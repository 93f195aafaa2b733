// Manual reviews, earlier reviews and the user's corrections.
import { useCommand, useNewestEventNumber } from '../../client/use-request.ts'
import { LoadMore } from '../../part/load-more.tsx'
import { EmptyState } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { memoryWords } from '../../strings/memory.ts'
import { memoryEvents } from '../memory-events.ts'
import { Corrections } from './corrections.tsx'
import { ReviewFold } from './review-fold.tsx'
import { ReviewNow } from './review-now.tsx'
import { useReviews } from './use-reviews.ts'

const told = memoryWords.reviews
const most = 50

export function Reviews({ agent_id }: { agent_id: string }) {
  const version = useNewestEventNumber(memoryEvents)
  const reviews = useReviews(agent_id)
  const earlier = useCommand('memory_list_reviews', { agent_id, limit: most }, { version: reviews.last?.id ?? '' })
  return (
    <>
      <Section title={told.title} lead={told.lead}>
        <div className="mb-4">
          <ReviewNow reviews={reviews} />
        </div>
        <RequestResult reading={earlier}>
          {(list) =>
            list.items.length === 0 ? (
              <EmptyState>{told.none}</EmptyState>
            ) : (
              <>
                <Panel className="overflow-hidden">
                  {list.items.map((review) => (
                    <ReviewFold key={review.id} review={review} />
                  ))}
                </Panel>
                <LoadMore list={list} />
              </>
            )
          }
        </RequestResult>
      </Section>
      <Section title={told.corrections}>
        <Corrections agent_id={agent_id} version={version} />
      </Section>
    </>
  )
}
