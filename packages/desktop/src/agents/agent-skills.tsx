import type { ListedSkillBinding } from '@tandem/contract/command'
import { followLink } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCompleteList } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { Problems } from '../part/skill-problems.tsx'
import { skillWords } from '../strings/skills.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

export function AgentSkills({ agent_id }: { agent_id: string }) {
  const client = useRuntimeClient()
  const bindings = useCompleteList('skill_binding_list', { agent_id })
  const unbind = async (skill_name: string) => {
    await client.call(skillWords.doing.unbind, 'skill_unbind', { agent_id, skill_name })
    await bindings.reload()
  }
  const { ofAgent } = skillWords
  const manage = (
    <a href="/skills" onClick={followLink} className="text-cloud text-sm underline underline-offset-4">
      {ofAgent.manage}
    </a>
  )
  return (
    <Section title={ofAgent.title} lead={ofAgent.lead} aside={manage}>
      <RequestResult reading={bindings}>
        {(bound) =>
          bound.length === 0 ? (
            <p className="text-faint">{ofAgent.none}</p>
          ) : (
            <Panel>
              <ul className="divide-y divide-line">
                {bound.map((one) => (
                  <BoundSkill key={one.binding.skill_name} bound={one} onUnbind={unbind} />
                ))}
              </ul>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}

interface BoundProps {
  readonly bound: ListedSkillBinding
  onUnbind(skill_name: string): void
}

function BoundSkill({ bound: { binding, skill, title, problems, folder_note }, onUnbind }: BoundProps) {
  const { ofAgent } = skillWords
  return (
    <li className="space-y-2 px-4 py-2.5">
      <span className="flex flex-wrap items-center justify-between gap-2">
        <span className="min-w-0">
          <a
            href={`/skills/${encodeURIComponent(binding.skill_name)}`}
            onClick={followLink}
            className="break-words text-cloud underline underline-offset-4"
          >
            {visibleName(binding.skill_name)}
          </a>{' '}
          <Badge>{skillWords.policyNames[binding.binding_policy]}</Badge>{' '}
          {title !== null && <Badge tone="warn">{`${skillWords.notUsed}: ${visibleText(title)}`}</Badge>}
        </span>
        <Button aria-label={ofAgent.unbindNamed(binding.skill_name)} onClick={() => onUnbind(binding.skill_name)}>
          {ofAgent.unbind}
        </Button>
      </span>
      <span className="block break-words text-soft text-sm">{skill ? visibleText(skill.description) : skillWords.missing}</span>
      {folder_note !== null && <span className="block text-soft text-sm">{folder_note}</span>}
      <Problems problems={problems} />
    </li>
  )
}
