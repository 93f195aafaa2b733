// One skill, shown completely before it is bound, and the agents it can be bound to.
import type { CommandResult } from '@tandem/contract/command'
import { followLink } from '../address.ts'
import { useCommand } from '../client/use-request.ts'
import { GonePage } from '../part/gone-page.tsx'
import { PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Section } from '../part/section.tsx'
import { Compatibility } from '../part/skill-compatibility.tsx'
import { Problems, SkillNotes } from '../part/skill-problems.tsx'
import { SuspiciousText } from '../part/suspicious-text.tsx'
import { isUnknown } from '../part/unknown.ts'
import { LongText } from '../result/long-text.tsx'
import { skillWords } from '../strings/skills.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'
import { Bindings } from './bindings.tsx'

export function SkillPage({ name }: { name: string }) {
  const skill = useCommand('skill_get', { name })
  const { state: asked } = skill
  if (asked.state === 'failed' && isUnknown(asked.error)) {
    return (
      <GonePage title={skillWords.goneTitle} text={skillWords.gone(visibleName(name))} back={{ href: '/skills', label: skillWords.back }} />
    )
  }
  return (
    <PageLayout title={visibleName(name)} lead={asked.state === 'ready' ? visibleText(asked.value.skill.description) : ''}>
      <p className="mb-4 text-sm">
        <a href="/skills" onClick={followLink} className="text-cloud underline underline-offset-4">
          {skillWords.back}
        </a>
      </p>
      <RequestResult reading={skill}>{(detail) => <Detail detail={detail} />}</RequestResult>
    </PageLayout>
  )
}

function Detail({ detail }: { detail: CommandResult<'skill_get'> }) {
  const { skill, suspicions, text, files, review_sha256, folder_notes, compatibility } = detail
  return (
    <>
      <p className="mb-3 break-all font-mono text-[13px] text-faint">
        {skillWords.roots[skill.root]} · {visibleName(skill.path)}
      </p>
      <div className="mb-6 space-y-3">
        <Problems problems={skill.problems} />
        <SkillNotes notes={[...skill.notes, ...folder_notes]} />
        <SuspiciousText suspicions={suspicions} />
        {skill.allowed_tools.length > 0 && (
          <p className="text-sm">
            <span className="text-faint">{skillWords.allowed}</span>{' '}
            <code className="break-words">{visibleName(skill.allowed_tools.join(', '))}</code>
          </p>
        )}
        {skill.license !== undefined && (
          <p className="text-sm">
            <span className="text-faint">{skillWords.license}</span> {visibleName(skill.license)}
          </p>
        )}
      </div>
      <Compatibility report={compatibility} />
      <Section title={skillWords.text}>
        <LongText text={text} />
      </Section>
      <Bindings skill={skill} review_sha256={review_sha256} files={files.length} />
      {files.length > 0 && (
        <Section title={skillWords.files} lead={skillWords.filesLead}>
          <ul className="font-mono text-[13px]">
            {files.map((file) => (
              <li key={file} className="break-all">
                {visibleName(file)}
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
