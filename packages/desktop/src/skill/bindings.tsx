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

interface Props {
  readonly skill: Skill
  readonly review_sha256: string
  /** How many there are next to the text. */
  readonly files: number
}

/** A binding covers exactly what this page shows. */
export function Bindings({ skill, review_sha256, files }: Props) {
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
  const bind = async (agent_id?: string, binding_policy = policy) => {
    const request = { skill_name: skill.name, binding_policy, reviewed_sha256: review_sha256 }
    const answer = await client.call(skillWords.doing.bind, 'skill_bind', { ...request, ...(agent_id === undefined ? {} : { agent_id }) })
    if (answer.ok && agent_id === undefined) await client.refreshLists()
    await bindings.reload()
  }
  const unbind = async (agent_id: string) => {
    await client.call(skillWords.doing.unbind, 'skill_unbind', { agent_id, skill_name: skill.name })
    await bindings.reload()
  }
  return (
    <Section title={skillWords.agents} lead={skillWords.agentsLead}>
      <div className="mb-3">
        <Choice
          label={skillWords.policy}
          values={bindingPolicies}
          value={policy}
          onChange={setPolicy}
          nameOf={(one) => skillWords.policyNames[one]}
          mono={false}
        />
        <p className="mt-1 text-faint text-sm">{skillWords.policies[policy]}</p>
      </div>
      <p className="mb-3 text-soft text-sm">{skillWords.reviewed(files)}</p>
      <RequestResult reading={bindings}>
        {(bound) =>
          living.length === 0 ? (
            <p className="flex flex-wrap items-center gap-3 text-faint">
              {skillWords.noAgents} <Button onClick={() => void bind()}>{skillWords.bindFirst}</Button>
            </p>
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
  onBind(agent_id: string, binding_policy?: BindingPolicy): void
  onUnbind(agent_id: string): void
}

function AgentLine({ kept: { agent_id, agent }, bound, onBind, onUnbind }: LineProps) {
  const name = visibleName(agent.name)
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 px-4 py-2.5">
      <span className="min-w-0">
        <bdi className="break-words">{name}</bdi>{' '}
        {bound && <Badge tone="cloud">{`${skillWords.bound}: ${skillWords.policyNames[bound.binding.binding_policy]}`}</Badge>}{' '}
        {bound?.barrier && <Badge tone="warn">{`${skillWords.notUsed}: ${visibleText(bound.title ?? bound.barrier)}`}</Badge>}
        {bound?.folder_note && <span className="block text-soft text-sm">{bound.folder_note}</span>}
      </span>
      {bound ? (
        <span className="flex flex-wrap gap-2">
          {isOutdated(bound) && (
            <Button onClick={() => onBind(agent_id, bound.binding.binding_policy)}>{skillWords.bindAgain(name)}</Button>
          )}
          <Button onClick={() => onUnbind(agent_id)} aria-label={skillWords.unbind(name)}>
            {skillWords.remove}
          </Button>
        </span>
      ) : (
        <Button onClick={() => onBind(agent_id)} aria-label={skillWords.bind(name)}>
          {skillWords.assign}
        </Button>
      )}
    </li>
  )
}

/** Assigning it again would make it, or its files, usable. */
function isOutdated({ barrier, binding }: ListedSkillBinding): boolean {
  return barrier === 'changed_since_bound' || (barrier === null && binding.folder_sha256 === undefined)
}
