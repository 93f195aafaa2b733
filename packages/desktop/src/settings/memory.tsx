// Memory in the settings center: what it costs, what is known, a review, and corrections.
import type { ReactNode } from 'react'
import { followLink } from '../address.ts'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { CorrectionEntry } from '../memory/correction/correction-entry.tsx'
import { GraphSummary } from '../memory/graph/graph-summary.tsx'
import { memoryEvents } from '../memory/memory-events.ts'
import { BackgroundUse } from '../memory/options/background-use.tsx'
import { ProfileSummary } from '../memory/profile/profile-summary.tsx'
import { ReviewNow } from '../memory/reviews/review-now.tsx'
import { useReviews } from '../memory/reviews/use-reviews.ts'
import { AgentSelect, useChosenAgent } from '../part/agent-select.tsx'
import { Panel, Section } from '../part/section.tsx'
import { memoryWords } from '../strings/memory.ts'
import { words } from '../strings/window.ts'

const told = words.settingsCenter.memory

export function MemorySettings() {
  const status = useCommand('memory_status', {}, { version: useNewestEventNumber(memoryEvents) })
  const { agents, agent_id, choose } = useChosenAgent()
  return (
    <>
      <Section anchor="section-memory_cost" title={memoryWords.options.cost} lead={memoryWords.options.costLead}>
        <BackgroundUse status={status} />
      </Section>
      <Section anchor="section-memory" title={told.title} lead={told.lead}>
        {agent_id === undefined ? (
          <p className="text-faint">{memoryWords.noAgents}</p>
        ) : (
          <>
            {agents.length > 1 && <AgentSelect agents={agents} value={agent_id} onChange={choose} />}
            <MemoryOfAgent key={agent_id} agent_id={agent_id} />
          </>
        )}
      </Section>
    </>
  )
}

function MemoryOfAgent({ agent_id }: { agent_id: string }) {
  const reviews = useReviews(agent_id)
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Part title={told.profile} link={told.openProfile} address="/memory/profile">
        <ProfileSummary agent_id={agent_id} />
      </Part>
      <Part title={told.graph} link={told.openGraph} address="/memory/graph">
        <GraphSummary agent_id={agent_id} />
      </Part>
      <Part title={told.review} link={told.openReviews} address="/memory/reviews">
        <ReviewNow reviews={reviews} />
      </Part>
      <Part title={told.corrections} link={told.openMemories} address="/memory">
        <CorrectionEntry agent_id={agent_id} />
      </Part>
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly link: string
  readonly address: string
  readonly children: ReactNode
}

function Part({ title, link, address, children }: PartProps) {
  return (
    <Panel className="flex min-w-0 flex-col gap-3 p-4">
      <h3 className="font-medium">{title}</h3>
      <div>{children}</div>
      <p className="mt-auto text-sm">
        <a href={address} onClick={followLink} className="text-cloud underline underline-offset-4">
          {link}
        </a>
      </p>
    </Panel>
  )
}
