// The Memory page: its parts, each with its own address, and the agent they are about.
import { type ReactNode, useState } from 'react'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { AgentSelect, useAgents } from '../part/agent-select.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { SectionTabs } from '../part/section-tabs.tsx'
import { memoryWords } from '../strings/memory.ts'
import { Graph } from './graph/graph.tsx'
import { MemoryBrowser } from './memory-browser.tsx'
import { memoryEvents } from './memory-events.ts'
import { MemoryPage } from './memory-page.tsx'
import { Options } from './options/options.tsx'
import { StatusNotes } from './options/status-notes.tsx'
import { ProfileOfAgent } from './profile/profile.tsx'
import { Reviews } from './reviews/reviews.tsx'

const sectionNames = ['memories', 'profile', 'graph', 'reviews', 'options'] as const

export default function Memory({ section: wanted, memory_id }: { section?: string; memory_id?: string }) {
  const section = sectionNames.find((one) => one === wanted) ?? 'memories'
  const agents = useAgents()
  const [chosen, setChosen] = useState('')
  const newest = useNewestEventNumber(memoryEvents)
  const status = useCommand('memory_status', {}, { version: `${section} ${newest}` })
  const agent_id = agents.some((one) => one.agent_id === chosen) ? chosen : ''
  const first = agents[0]?.agent_id ?? null
  if (section === 'memories' && memory_id !== undefined) return <MemoryPage key={memory_id} memory_id={memory_id} />
  const ofAgent = (draw: (agent_id: string) => ReactNode) => {
    const one = agent_id || first
    return one === null ? <p className="text-faint">{memoryWords.noAgents}</p> : draw(one)
  }
  const agentSelect = section !== 'options' && (
    <AgentSelect
      agents={agents}
      value={section === 'memories' ? agent_id : agent_id || (first ?? '')}
      onChange={setChosen}
      {...(section === 'memories' ? { all: memoryWords.allAgents } : {})}
    />
  )
  return (
    <PageLayout title={memoryWords.title} lead={memoryWords.lead} aside={agentSelect}>
      <SectionTabs
        label={memoryWords.sectionsLabel}
        names={sectionNames}
        current={section}
        nameOf={(name) => memoryWords.sections[name]}
        addressOf={(name) => (name === 'memories' ? '/memory' : `/memory/${name}`)}
      />
      {section === 'memories' && <StatusNotes reading={status} />}
      {section === 'memories' && <MemoryBrowser agent_id={agent_id || null} status={status} />}
      {section === 'profile' && ofAgent((one) => <ProfileOfAgent key={one} agent_id={one} />)}
      {section === 'graph' && ofAgent((one) => <Graph key={one} agent_id={one} />)}
      {section === 'reviews' && ofAgent((one) => <Reviews key={one} agent_id={one} />)}
      {section === 'options' && <Options status={status} />}
    </PageLayout>
  )
}
