// Whether a skill runs on this device, and why: every check that it requires.
import type { CompatibilityReport } from '@tandem/contract/skill-recommendation'
import { skillWords } from '../strings/skills.ts'
import { visibleText } from '../text/visible.ts'
import { Badge } from './badge.tsx'
import { Panel, Section } from './section.tsx'

const told = skillWords.compatibility

export function Compatibility({ report: { compatible, checks } }: { report: CompatibilityReport }) {
  const required = checks.filter(({ result }) => result !== 'not_required')
  return (
    <Section title={told.title} aside={<Badge tone={compatible ? 'good' : 'warn'}>{compatible ? told.yes : told.no}</Badge>}>
      {required.length === 0 ? (
        <p className="text-soft">{compatible ? told.nothing : told.problems}</p>
      ) : (
        <Panel className="p-4">
          <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[auto_minmax(0,1fr)]">
            {required.map((check) => (
              <div key={check.check} className="contents">
                <dt className="text-faint">{told.checks[check.check]}</dt>
                <dd className="break-words">
                  {check.result === 'passed' && visibleText(check.because)}
                  {check.result === 'failed' &&
                    check.problems.map(({ name, title, hint }) => (
                      <p key={name}>
                        <span className="font-medium text-warn">{title}.</span> {visibleText(hint)}
                      </p>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
    </Section>
  )
}
