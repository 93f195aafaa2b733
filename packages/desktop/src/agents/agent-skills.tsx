import { followLink } from '../address.ts'
import { readAll } from '../desk/pages.ts'
import { useAsked } from '../desk/use-asked.ts'
import { useDesk } from '../desk/use-desk.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/button.tsx'
import { Panel, Section } from '../part/section.tsx'
import { Trouble, Waiting } from '../part/trouble.tsx'
import { Problems } from '../skill/problems.tsx'
import { skillWords } from '../strings/skills.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

export function AgentSkills({ agent_id }: { agent_id: string }) {
  const desk = useDesk()
  const { asked, again } = useAsked(agent_id, async () => {
    const read = await readAll(desk.channel, 'skill_binding_list', { agent_id })
    return read.ok ? { ok: true as const, value: read.value.items } : read
  })
  const unbind = async (skill_name: string) => {
    await desk.ask(skillWords.doing.unbind, 'skill_unbind', { agent_id, skill_name })
    again()
  }
  const { ofAgent } = skillWords
  const manage = (
    <a href="/skills" onClick={followLink} className="text-cloud text-sm underline underline-offset-4">
      {ofAgent.manage}
    </a>
  )
  return (
    <Section title={ofAgent.title} lead={ofAgent.lead} aside={manage}>
      {asked.state === 'loading' && <Waiting />}
      {asked.state === 'failed' && <Trouble error={asked.error} again={again} />}
      {asked.state === 'ready' && asked.value.length === 0 && <p className="text-faint">{ofAgent.none}</p>}
      {asked.state === 'ready' && asked.value.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line">
            {asked.value.map(({ binding, skill, title, problems }) => (
              <li key={binding.skill_name} className="space-y-2 px-4 py-2.5">
                <span className="flex flex-wrap items-center justify-between gap-2">
                  <span className="min-w-0">
                    <a
                      href={`/skills/${encodeURIComponent(binding.skill_name)}`}
                      onClick={followLink}
                      className="break-words text-cloud underline underline-offset-4"
                    >
                      {visibleName(binding.skill_name)}
                    </a>{' '}
                    <Badge>{binding.binding_policy}</Badge>{' '}
                    {title !== null && <Badge tone="warn">{`${skillWords.notUsed}: ${visibleText(title)}`}</Badge>}
                  </span>
                  <Button aria-label={ofAgent.unbindNamed(binding.skill_name)} onClick={() => unbind(binding.skill_name)}>
                    {ofAgent.unbind}
                  </Button>
                </span>
                <span className="block break-words text-soft text-sm">{skill ? visibleText(skill.description) : skillWords.missing}</span>
                <Problems problems={problems} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  )
}
