// The skills that were found, each with the reasons why it cannot be used here.
import type { CommandResult, ListedSkill } from '@tandem/contract/command'
import { useState } from 'react'
import { followLink } from '../address.ts'
import { readAll } from '../client/pages.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import type { CallResult } from '../connection/channel.ts'
import { Badge } from '../part/badge.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel } from '../part/section.tsx'
import { Problems } from '../part/skill-problems.tsx'
import { skillWords } from '../strings/skills.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { SkillPage } from './skill-page.tsx'

const atOnce = 200

export default function Skills({ name }: { name?: string }) {
  return name === undefined ? <SkillList /> : <SkillPage key={name} name={name} />
}

function SkillList() {
  const client = useRuntimeClient()
  const skills = useRequest('skills', async (): Promise<CallResult<Found>> => {
    const [read, check] = await Promise.all([readAll(client.channel, 'skill_list', {}), client.channel.call('skill_check', {})])
    if (!read.ok) return read
    return check.ok ? { ok: true, value: { ...check.value, skills: read.value.items } } : check
  })
  return (
    <PageLayout title={skillWords.title} lead={skillWords.lead}>
      <RequestResult reading={skills}>{(found) => <FoundSkills found={found} />}</RequestResult>
    </PageLayout>
  )
}

type Found = CommandResult<'skill_check'> & { readonly skills: readonly ListedSkill[] }

function FoundSkills({ found: { found, usable, notices, skills } }: { found: Found }) {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = skills.filter(({ skill }) => `${skill.name} ${skill.description}`.toLowerCase().includes(wanted))
  return (
    <>
      {skills.length === 0 && <EmptyState>{skillWords.none}</EmptyState>}
      {skills.length > 0 && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          <input
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
            aria-label={skillWords.filter}
            placeholder={skillWords.filter}
            className="field w-full max-w-xs"
          />
          <p role="status" className="text-faint text-sm">
            {skillWords.sums(found, usable)}
          </p>
        </div>
      )}
      {skills.length > 0 && shown.length === 0 && <EmptyState>{skillWords.noMatch}</EmptyState>}
      <ul className="grid gap-3 lg:grid-cols-2">
        {shown.slice(0, atOnce).map((listed) => (
          <li key={listed.skill.path} className="min-w-0">
            <SkillCard listed={listed} />
          </li>
        ))}
      </ul>
      {notices.length > 0 && (
        <div className="mt-8">
          <h2 className="mb-1 font-semibold">{skillWords.notices}</h2>
          <ul className="space-y-1 text-soft text-sm">
            {notices.map(({ code, title, path }) => (
              <li key={`${code} ${path}`} className="break-words">
                {visibleText(title)}: <code className="break-all">{visibleName(path)}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function SkillCard({ listed: { skill, suspicions } }: { listed: ListedSkill }) {
  return (
    <Panel className="flex h-full flex-col p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-2">
        <a
          href={`/skills/${encodeURIComponent(skill.name)}`}
          onClick={followLink}
          className="min-w-0 break-words font-medium text-cloud underline-offset-4 hover:underline"
        >
          {visibleName(skill.name)}
        </a>
        <span className="flex gap-1.5">
          {skill.notes.length > 0 && <Badge>{skillWords.noted}</Badge>}
          {suspicions.length > 0 && <Badge tone="warn">{skillWords.odd}</Badge>}
          <Badge tone={skill.problems.length === 0 ? 'good' : 'plain'}>
            {skill.problems.length === 0 ? skillWords.usable : skillWords.notUsable}
          </Badge>
        </span>
      </p>
      <p className="mt-1 line-clamp-3 break-words text-soft">{visibleText(skill.description)}</p>
      <p className="mt-1 mb-2 text-faint text-sm">{skillWords.roots[skill.root]}</p>
      <Problems problems={skill.problems} />
    </Panel>
  )
}
