// Memory in the diagnostics center: the search index, the last reviews, and a manual review.
import { followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { memoryEvents } from '../memory/memory-events.ts'
import type { MemoryStatus } from '../memory/options/status-notes.tsx'
import { ReviewFold } from '../memory/reviews/review-fold.tsx'
import { ReviewNow } from '../memory/reviews/review-now.tsx'
import { useReviews } from '../memory/reviews/use-reviews.ts'
import { SearchProblem } from '../memory/search-problem.tsx'
import { AgentSelect, useChosenAgent } from '../part/agent-select.tsx'
import { Badge } from '../part/badge.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'

const told = words.diagnosticsCenter.memory
const mostReviews = 5

export function MemoryHealth() {
  const { agents, agent_id, choose } = useChosenAgent()
  const status = useCommand('memory_status', {}, { version: useNewestEventNumber(memoryEvents), every_ms: 10_000 })
  return (
    <Section title={told.title} lead={told.lead}>
      <Panel className="mb-4 p-4">
        <h3 className="mb-2 font-medium">{told.searchIndex}</h3>
        <RequestResult reading={status}>{({ search_index }) => <SearchIndex index={search_index} />}</RequestResult>
      </Panel>
      <h3 className="mb-2 font-medium">{told.reviews}</h3>
      {agent_id === undefined ? (
        <p className="text-faint">{memoryWords.noAgents}</p>
      ) : (
        <>
          {agents.length > 1 && <AgentSelect agents={agents} value={agent_id} onChange={choose} />}
          <ReviewsOfAll key={agent_id} agent_id={agent_id} />
        </>
      )}
    </Section>
  )
}

function SearchIndex({ index: { texts, waiting, problem } }: { index: MemoryStatus['search_index'] }) {
  const tone = problem !== null || texts === null ? 'bad' : waiting > 0 ? 'warn' : 'good'
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{told.states[tone]}</Badge>
        {told.texts(texts, waiting)}
      </p>
      <SearchProblem problem={problem} className="mt-3" />
    </>
  )
}

/** Of every agent: a failure must be seen whichever agent is chosen. */
function ReviewsOfAll({ agent_id }: { agent_id: string }) {
  const reviews = useReviews(agent_id)
  const names = useWindowState((state) => state.agents)
  const version = `${useNewestEventNumber(memoryEvents)} ${reviews.last?.id ?? ''}`
  const list = useCommand('memory_list_reviews', { limit: mostReviews }, { version })
  return (
    <>
      <div className="mb-4">
        <ReviewNow reviews={reviews} />
      </div>
      <RequestResult reading={list}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-faint">{memoryWords.reviews.none}</p>
          ) : (
            <Panel className="overflow-hidden">
              {items.map((review) => (
                <ReviewFold
                  key={review.id}
                  review={review}
                  agent={visibleName(names?.get(review.agent_id)?.agent.name ?? review.agent_id)}
                />
              ))}
            </Panel>
          )
        }
      </RequestResult>
      <p className="mt-2 text-sm">
        <a href="/memory/reviews" onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.allReviews}
        </a>
      </p>
    </>
  )
}
