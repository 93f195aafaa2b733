// What runs taught: a part of the diagnostics center with its own address.
import { useState } from 'react'
import { followLink, learningAddress } from '../address.ts'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { SectionTabs } from '../part/section-tabs.tsx'
import { learningWords } from '../strings/learning.ts'
import { CandidatePage } from './candidate/candidate-page.tsx'
import { Candidates } from './candidate/candidates.tsx'
import { MemoryCandidates } from './memory-candidates.tsx'
import { Outcomes } from './outcome/outcomes.tsx'
import { Patterns } from './patterns.tsx'
import { Reflections } from './reflections.tsx'

const sectionNames = ['outcomes', 'patterns', 'reflections', 'memories', 'candidates'] as const

/** For the lifetime of the window: each part is a page of its own. */
let lastChosen = ''

export default function Learning({ section: wanted, id }: { section?: string; id?: string }) {
  const section = sectionNames.find((one) => one === wanted) ?? 'outcomes'
  const agents = useAgents()
  const [chosen, setChosen] = useState(lastChosen)
  const choose = (agent_id: string) => {
    lastChosen = agent_id
    setChosen(agent_id)
  }
  if (section === 'candidates' && id !== undefined) return <CandidatePage key={id} candidate_id={id} />
  const agent_id = agents.some((one) => one.agent_id === chosen) ? chosen : ''
  const first = agents[0]?.agent_id
  const filter = agent_id === '' ? {} : { agent_id }
  const isOfOne = section === 'outcomes'
  return (
    <PageLayout
      title={learningWords.title}
      lead={learningWords.lead}
      aside={
        <AgentSelect
          agents={agents}
          value={isOfOne ? agent_id || (first ?? '') : agent_id}
          onChange={choose}
          {...(isOfOne ? {} : { all: learningWords.allAgents })}
        />
      }
    >
      <p className="-mt-3 mb-3 text-sm">
        <a href="/diagnostics" onClick={followLink} className="text-cloud underline underline-offset-4">
          {learningWords.back}
        </a>
      </p>
      <SectionTabs
        label={learningWords.sectionsLabel}
        names={sectionNames}
        current={section}
        nameOf={(name) => learningWords.sections[name]}
        addressOf={(name) => learningAddress(name === 'outcomes' ? undefined : name)}
      />
      <p className="mb-4 max-w-2xl text-pretty text-soft">{learningWords[section].lead}</p>
      {section === 'outcomes' &&
        (first === undefined ? (
          <p className="text-faint">{learningWords.noAgents}</p>
        ) : (
          <Outcomes key={agent_id || first} agent_id={agent_id || first} />
        ))}
      {section === 'patterns' && <Patterns key={agent_id} filter={filter} />}
      {section === 'reflections' && <Reflections key={agent_id} filter={filter} />}
      {section === 'memories' && <MemoryCandidates key={agent_id} filter={filter} />}
      {section === 'candidates' && <Candidates key={agent_id} filter={filter} />}
    </PageLayout>
  )
}
