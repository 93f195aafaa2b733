// Learning in the diagnostics center: what needs a decision, and the way to the rest.
import { followLink, learningAddress } from '../address.ts'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { learningWords } from '../strings/learning.ts'
import { learningEvents } from './learning-events.ts'
import { useWaitingCandidates } from './use-waiting-candidates.ts'

const told = learningWords.summary
const most = 100
const sections = ['outcomes', 'patterns', 'reflections', 'memories', 'candidates'] as const

export function LearningSummary() {
  const waiting = useWaitingCandidates()
  const memories = useCommand(
    'memory_list_writeback_candidates',
    { state: 'pending', limit: most },
    { version: useNewestEventNumber(learningEvents) },
  )
  return (
    <Section title={learningWords.title} lead={told.lead}>
      <Panel className="p-4">
        <RequestResult reading={waiting}>
          {({ items }) => (
            <p className={items.length > 0 ? 'font-medium' : ''}>{items.length > 0 ? told.waiting(items.length) : told.noneWaiting}</p>
          )}
        </RequestResult>
        {memories.state.state === 'ready' && memories.state.value.items.length > 0 && (
          <p>{memories.state.value.next_cursor === null ? told.memories(memories.state.value.items.length) : told.moreMemories(most)}</p>
        )}
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {sections.map((section) => (
            <li key={section}>
              <a
                href={learningAddress(section === 'outcomes' ? undefined : section)}
                onClick={followLink}
                className="text-cloud underline underline-offset-4"
              >
                {learningWords.sections[section]}
              </a>
            </li>
          ))}
        </ul>
      </Panel>
    </Section>
  )
}
