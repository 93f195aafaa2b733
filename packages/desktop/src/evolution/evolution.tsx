// What users repeat, and what Tandem proposes because of it: a part of the diagnostics center with its own address.
import { useState } from 'react'
import { evolutionAddress, followLink } from '../address.ts'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { SectionTabs } from '../part/section-tabs.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { Gaps } from './gaps.tsx'
import { RecommendationPage } from './recommendation/recommendation-page.tsx'
import { Recommendations } from './recommendation/recommendations.tsx'
import { Traces } from './traces.tsx'

const sectionNames = ['recommendations', 'gaps', 'traces'] as const

/** For the lifetime of the window: each part is a page of its own. */
let lastChosen = ''

export default function Evolution({ section: wanted, id }: { section?: string; id?: string }) {
  const section = sectionNames.find((one) => one === wanted) ?? 'recommendations'
  const agents = useAgents()
  const [chosen, setChosen] = useState(lastChosen)
  const choose = (agent_id: string) => {
    lastChosen = agent_id
    setChosen(agent_id)
  }
  if (section === 'recommendations' && id !== undefined) return <RecommendationPage key={id} recommendation_id={id} />
  const agent_id = agents.some((one) => one.agent_id === chosen) ? chosen : ''
  const filter = agent_id === '' ? {} : { agent_id }
  return (
    <PageLayout
      title={evolutionWords.title}
      lead={evolutionWords.lead}
      aside={<AgentSelect agents={agents} value={agent_id} onChange={choose} all={evolutionWords.allAgents} />}
    >
      <p className="-mt-3 mb-3 text-sm">
        <a href="/diagnostics" onClick={followLink} className="text-cloud underline underline-offset-4">
          {evolutionWords.back}
        </a>
      </p>
      <SectionTabs
        label={evolutionWords.sectionsLabel}
        names={sectionNames}
        current={section}
        nameOf={(name) => evolutionWords.sections[name]}
        addressOf={(name) => evolutionAddress(name === 'recommendations' ? undefined : name)}
      />
      <p className="mb-4 max-w-2xl text-pretty text-soft">{evolutionWords[section].lead}</p>
      {section === 'recommendations' && <Recommendations key={agent_id} filter={filter} />}
      {section === 'gaps' && <Gaps key={agent_id} filter={filter} />}
      {section === 'traces' && <Traces key={agent_id} filter={filter} />}
    </PageLayout>
  )
}
