// One recommendation: its lifecycle, what can be done, why it was made, its text, how runs with it went, and its versions.
import type { CommandResult } from '@tandem/contract/command'
import { evolutionAddress, followLink, workflowAddress } from '../../address.ts'
import { useCommand, useCompleteList, useNewestEventNumber } from '../../client/use-request.ts'
import { RunLink } from '../../learning/run-link.tsx'
import { useOwner } from '../../part/agent-select.tsx'
import { PageLayout } from '../../part/page-layout.tsx'
import { RequestResult } from '../../part/request-result.tsx'
import { Panel, Section } from '../../part/section.tsx'
import { Compatibility } from '../../part/skill-compatibility.tsx'
import { LongText } from '../../result/long-text.tsx'
import { evolutionWords } from '../../strings/evolution.ts'
import { learningWords } from '../../strings/learning.ts'
import { locale } from '../../strings/locale.ts'
import { visibleName } from '../../text/name.ts'
import { formatTime } from '../../text/time.ts'
import { visibleText } from '../../text/visible.ts'
import { evolutionEvents, reread_ms } from '../evolution-events.ts'
import { Groups, MatchedRuns } from './canary.tsx'
import { History, LifecycleLine } from './lifecycle.tsx'
import { RecommendationActions } from './recommendation-actions.tsx'
import { RecommendationBadges } from './recommendation-badges.tsx'
import { Versions } from './versions.tsx'

const told = evolutionWords.recommendations
type Shown = CommandResult<'skill_get_recommendation'>

export function RecommendationPage({ recommendation_id }: { recommendation_id: string }) {
  const version = useNewestEventNumber(evolutionEvents)
  const read = useCommand('skill_get_recommendation', { recommendation_id }, { version, every_ms: reread_ms })
  return (
    <PageLayout title={evolutionWords.title} lead={told.lead}>
      <p className="-mt-3 mb-4 text-sm">
        <a href={evolutionAddress()} onClick={followLink} className="text-cloud underline underline-offset-4">
          {told.back}
        </a>
      </p>
      <RequestResult reading={read}>{(shown) => <Details shown={shown} onChanged={read.reload} />}</RequestResult>
    </PageLayout>
  )
}

function Details({ shown, onChanged }: { shown: Shown; onChanged(): Promise<void> }) {
  const { recommendation, skill_version, validations, evidence, matched_runs, groups, actions } = shown
  const report = validations.findLast(({ compatibility }) => compatibility !== null)?.compatibility ?? null
  return (
    <>
      <Head shown={shown} />
      <Section title={evolutionWords.action.title}>
        <RecommendationActions recommendation={recommendation} actions={actions} onChanged={onChanged} />
      </Section>
      <Section title={evolutionWords.lifecycle.title}>
        <LifecycleLine recommendation={recommendation} validations={validations} />
      </Section>
      <Section title={told.why}>
        <p className="break-words">{visibleText(recommendation.rationale)}</p>
      </Section>
      <Section title={evolutionWords.evidence.title}>
        <Evidence evidence={evidence} />
      </Section>
      <Section title={evolutionWords.text.title}>
        {skill_version === null ? (
          <p className="text-soft">{evolutionWords.text.none}</p>
        ) : (
          <>
            <p className="mb-2 break-all text-faint text-sm">
              {evolutionWords.text.version(skill_version.skill_version)}
              {recommendation.skill_path !== null && ` · ${evolutionWords.text.path(visibleName(recommendation.skill_path))}`}
            </p>
            <LongText text={skill_version.content} />
          </>
        )}
      </Section>
      {report && <Compatibility report={report} />}
      <Section title={evolutionWords.groups.title} lead={evolutionWords.groups.lead}>
        <Groups groups={groups} />
        <h3 className="mt-5 mb-2 font-medium">{evolutionWords.groups.matched}</h3>
        <MatchedRuns matched={matched_runs} />
      </Section>
      <Section title={evolutionWords.versions.title} lead={evolutionWords.versions.lead}>
        <VersionList shown={shown} />
      </Section>
      <Section title={evolutionWords.lifecycle.history}>
        <History validations={validations} />
      </Section>
    </>
  )
}

function Head({ shown: { recommendation, validations } }: { shown: Shown }) {
  const { agent_id, title, state, asks, rollback_reason, confidence, created_at, skill_name, workflow_id } = recommendation
  const agent = useOwner(agent_id)
  const cause = validations.findLast(({ stage }) => stage === 'rollback')?.cause_run_id ?? null
  return (
    <Panel className="mb-8 p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <h2 className="min-w-0 flex-1 basis-72 break-words font-semibold text-lg">{visibleText(title)}</h2>
        <RecommendationBadges recommendation={recommendation} />
      </div>
      <p className="mt-1 text-faint text-sm">
        {agent} · {formatTime(created_at)} · {told.confidence(learningWords.percent(confidence))}
      </p>
      <p className="mt-3 text-soft">{evolutionWords.meanings[state]}</p>
      {asks !== null && <p className="mt-3 break-words rounded-md bg-warn-soft px-3 py-2 text-warn">{visibleText(asks)}</p>}
      {rollback_reason !== null && (
        <p className="mt-3 break-words rounded-md bg-warn-soft px-3 py-2 text-warn">
          {told.rolledBackBecause(visibleText(rollback_reason))}{' '}
          {cause !== null && <RunLink run_id={cause}>{evolutionWords.lifecycle.causedBy}</RunLink>}
        </p>
      )}
      {state === 'live' && skill_name !== null && <Link href={`/skills/${encodeURIComponent(skill_name)}`}>{told.openSkill}</Link>}
      {workflow_id !== null && state !== 'rolled_back' && state !== 'retired' && (
        <Link href={workflowAddress(workflow_id)}>{told.openWorkflow}</Link>
      )}
    </Panel>
  )
}

function Link({ href, children }: { href: string; children: string }) {
  return (
    <p className="mt-3 text-sm">
      <a href={href} onClick={followLink} className="text-cloud underline underline-offset-4">
        {children}
      </a>
    </p>
  )
}

function Evidence({ evidence }: Pick<Shown, 'evidence'>) {
  const { none, lead, unnamed } = evolutionWords.evidence
  if (evidence.length === 0) return <p className="text-soft">{none}</p>
  return (
    <>
      <p className="mb-2 text-soft">{lead(evidence.length)}</p>
      <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {evidence.map(({ run_id, day, request }) => (
          <li key={run_id} className="min-w-0 break-words">
            <span className="whitespace-nowrap text-faint text-sm">{formatDay(day)}</span>{' '}
            <RunLink run_id={run_id}>{request === null ? unnamed : visibleName(request)}</RunLink>
          </li>
        ))}
      </ul>
    </>
  )
}

function formatDay(day: string): string {
  return new Date(`${day}T00:00`).toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** Versions of a skill outlive the recommendation that made the first one. */
function VersionList({ shown: { recommendation, skill_version } }: { shown: Shown }) {
  const { id: recommendation_id, skill_name, version } = recommendation
  const read = useCompleteList('skill_list_versions', skill_name === null ? { recommendation_id } : { skill_name }, {
    version: `${version} ${skill_version?.id}`,
  })
  return <RequestResult reading={read}>{(versions) => <Versions versions={versions} current={skill_version?.id ?? null} />}</RequestResult>
}
