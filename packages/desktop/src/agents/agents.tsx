import type { KeptAgent } from '@tandem/contract/command'
import { useState } from 'react'
import { followLink, goTo } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { PromotionSwitch } from '../evolution/promotion-switch.tsx'
import { LearnSwitch } from '../learning/learn-switch.tsx'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { GonePage } from '../part/gone-page.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { evolutionWords } from '../strings/evolution.ts'
import { learningWords } from '../strings/learning.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { AgentForm } from './agent-form.tsx'
import { AgentMcp } from './agent-mcp.tsx'
import { AgentSkills } from './agent-skills.tsx'
import { Policies } from './policies.tsx'
import { SavedApprovals } from './saved-approvals.tsx'

export default function Agents({ agent_id }: { agent_id?: string }) {
  const agents = useWindowState((state) => state.agents)
  if (!agents) return <p className="p-8 text-faint">{words.loading}</p>
  if (agent_id === undefined) return <AgentList agents={[...agents.values()]} />
  const kept = agents.get(agent_id)
  return kept ? (
    <AgentPage kept={kept} />
  ) : (
    <GonePage
      title={words.agents.goneTitle}
      text={words.agents.gone(visibleName(agent_id))}
      back={{ href: '/agents', label: words.agents.back }}
    />
  )
}

function AgentList({ agents }: { agents: readonly KeptAgent[] }) {
  const client = useRuntimeClient()
  const add = async () => {
    const answer = await client.call(words.doing.agent, 'agent_create', { name: words.agents.newName })
    if (!answer.ok) return
    await client.refreshLists()
    goTo(`/agents/${encodeURIComponent(answer.value.agent.agent_id)}`)
  }
  return (
    <PageLayout title={words.agents.title} lead={words.agents.lead} aside={<Button onClick={add}>{words.agents.new}</Button>}>
      {agents.length === 0 && <EmptyState>{words.agents.none}</EmptyState>}
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-2">
        {agents.map(({ agent_id, agent }) => (
          <a key={agent_id} href={`/agents/${encodeURIComponent(agent_id)}`} onClick={followLink} className="rounded-xl">
            <Panel className="h-full p-4 hover:border-line-strong">
              <p className="flex items-baseline justify-between gap-2 font-medium">
                <span title={visibleText(agent.name)} className="line-clamp-2 min-w-0 break-words">
                  {agent.avatar ? `${visibleText(agent.avatar)} ` : ''}
                  {visibleText(agent.name)}
                </span>
                {agent.archived && <Badge>{words.agents.archived}</Badge>}
              </p>
              <p className="line-clamp-2 break-words text-soft">{visibleText(agent.description || agent.identity.role)}</p>
              <p className="mt-1 text-faint text-sm">
                {visibleText(agent.model ?? words.agents.modelOfDevice)} · {words.agents.sandboxModes[agent.sandbox_mode]}
              </p>
            </Panel>
          </a>
        ))}
      </div>
    </PageLayout>
  )
}

function AgentPage({ kept }: { kept: KeptAgent }) {
  const client = useRuntimeClient()
  const { agent_id, agent } = kept
  const [removed, setRemoved] = useState(0)
  const archive = async () => {
    const answer = await client.call(words.doing.agent, 'agent_archive', { agent_id, archived: !agent.archived })
    if (answer.ok) await client.refreshLists()
  }
  return (
    <PageLayout
      title={visibleText(agent.name)}
      lead={visibleText(agent.description || agent.identity.role)}
      aside={<Button onClick={archive}>{agent.archived ? words.agents.unarchive : words.agents.archive}</Button>}
    >
      <p className="mb-4 text-sm">
        <a href="/agents" onClick={followLink} className="text-cloud underline underline-offset-4">
          {words.agents.back}
        </a>
      </p>
      <AgentForm key={`form:${agent_id}`} kept={kept} />
      <AgentSkills key={`skills:${agent_id}`} agent_id={agent_id} />
      <AgentMcp />
      <Section title={learningWords.switch.title} lead={learningWords.switch.agentHint}>
        <LearnSwitch kind="agent" id={agent_id} label={learningWords.switch.label} />
      </Section>
      <Section title={evolutionWords.promotion.title} lead={evolutionWords.promotion.hint}>
        <PromotionSwitch agent_id={agent_id} />
      </Section>
      <SavedApprovals key={`rules:${agent_id}`} agent_id={agent_id} onChange={() => setRemoved(removed + 1)} />
      <Policies key={`of:${agent_id}`} agent_id={agent_id} removed={removed} />
    </PageLayout>
  )
}
