import type { KeptAgent, ListedSkillBinding } from '@tandem/contract/command'
import { type BindingPolicy, bindingPolicies, defaultBindingPolicy, type Skill } from '@tandem/contract/skill'
import { useState } from 'react'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Choice } from '../part/form/choice.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { skillWords } from '../strings/skills.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

/** `mustBeRead`: the binding names the hash of the text that this page shows. */
export function Bindings({ skill, mustBeRead }: { skill: Skill; mustBeRead: boolean }) {
  const client = useRuntimeClient()
  const agents = useWindowState((state) => state.agents)
  const [policy, setPolicy] = useState<BindingPolicy>(defaultBindingPolicy)
  const living = [...(agents?.values() ?? [])].filter(({ agent }) => !agent.archived)
  const bindings = useRequest(`${skill.name}:${living.map(({ agent_id }) => agent_id).join()}`, async () => {
    const bound = new Map<string, ListedSkillBinding>()
    for (const { agent_id } of living) {
      const read = await readAll(client.channel, 'skill_binding_list', { agent_id })
      if (!read.ok) return read
      const found = read.value.items.find(({ binding }) => binding.skill_name === skill.name)
      if (found) bound.set(agent_id, found)
    }
    return { ok: true as const, value: bound }
  })
  const bind = async (agent_id: string) => {
    const reviewed_sha256 = mustBeRead ? skill.content_sha256 : null
    await client.call(skillWords.doing.bind, 'skill_bind', { agent_id, skill_name: skill.name, binding_policy: policy, reviewed_sha256 })
    await bindings.reload()
  }
  const unbind = async (agent_id: string) => {
    await client.call(skillWords.doing.unbind, 'skill_unbind', { agent_id, skill_name: skill.name })
    await bindings.reload()
  }
  return (
    <Section title={skillWords.agents} lead={skillWords.agentsLead}>
      <div className="mb-3">
        <Choice label={skillWords.policy} values={bindingPolicies} value={policy} onChange={setPolicy} />
        <p className="mt-1 text-faint text-sm">{skillWords.policies[policy]}</p>
      </div>
      {mustBeRead && <p className="mb-3 text-soft text-sm">{skillWords.reviewed}</p>}
      <RequestResult reading={bindings}>
        {(bound) =>
          living.length === 0 ? (
            <p className="text-faint">{skillWords.noAgents}</p>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {living.map((kept) => (
                  <AgentLine key={kept.agent_id} kept={kept} bound={bound.get(kept.agent_id)} onBind={bind} onUnbind={unbind} />
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}

interface LineProps {
  readonly kept: KeptAgent
  readonly bound: ListedSkillBinding | undefined
  onBind(agent_id: string): void
  onUnbind(agent_id: string): void
}

function AgentLine({ kept: { agent_id, agent }, bound, onBind, onUnbind }: LineProps) {
  const name = visibleName(agent.name)
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-2.5">
      <span className="min-w-0">
        <bdi className="break-words">{name}</bdi>{' '}
        {bound && <Badge tone="cloud">{`${skillWords.bound}: ${bound.binding.binding_policy}`}</Badge>}{' '}
        {bound?.barrier && <Badge tone="warn">{`${skillWords.notUsed}: ${visibleText(bound.title ?? bound.barrier)}`}</Badge>}
      </span>
      {bound ? (
        <Button onClick={() => onUnbind(agent_id)}>{skillWords.unbind(name)}</Button>
      ) : (
        <Button onClick={() => onBind(agent_id)}>{skillWords.bind(name)}</Button>
      )}
    </li>
  )
}
