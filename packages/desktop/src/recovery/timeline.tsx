// The recovery points of one run, newest first. A run has a few hundred at most, so all of them are read.
import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import { useState } from 'react'
import { changesAddress, followLink, restoreAddress, timelineAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Section } from '../part/section.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { recoveryWords } from '../strings/recovery.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { formatTimeWithSeconds } from '../text/time-of-day.ts'
import { CreatePoint } from './create-point.tsx'
import { closedText, isOpen, PointName, PointTargets, pointContents, pointTitle } from './recovery-point.tsx'

const atOnce = 50

export function Timeline({ run_id }: { run_id: string }) {
  const run = useWindowState((state) => state.runs.get(run_id))
  const isAway = useWindowState((state) => isOnOtherDevice(state, run))
  const points = useCompleteList('agent_run_list_checkpoints', { run_id }, { version: useNewestEventNumber(/^checkpoint_/, run_id) })
  const title = visibleName(run?.title ?? '')
  return (
    <PageLayout title={title || recoveryWords.timeline} lead={recoveryWords.timelineLead}>
      <p className="mb-5 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <a href="/recovery" onClick={followLink} className="text-cloud underline underline-offset-4">
          {recoveryWords.back}
        </a>
        {run && (
          <a href={`/c/${run.conversation_id}`} onClick={followLink} className="text-cloud underline underline-offset-4">
            {recoveryWords.toConversation}
          </a>
        )}
        {run && (
          <a href={changesAddress(run.conversation_id, run_id)} onClick={followLink} className="text-cloud underline underline-offset-4">
            {recoveryWords.toChanges}
          </a>
        )}
      </p>
      {run && !isAway && <CreatePoint run_id={run_id} />}
      <RequestResult reading={points}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState>{isAway ? recoveryWords.elsewhere : recoveryWords.noPoints}</EmptyState>
          ) : (
            <Points title={title} points={all} workspace={run?.workspace ?? null} />
          )
        }
      </RequestResult>
      <Siblings run_id={run_id} />
    </PageLayout>
  )
}

interface PointsProps {
  readonly title: string
  readonly points: readonly CheckpointSummary[]
  readonly workspace: string | null
}

function Points({ title, points, workspace }: PointsProps) {
  const [most, setMost] = useState(atOnce)
  return (
    <>
      <ol aria-label={recoveryWords.timelineOf(title)} className="ml-2 border-line-strong border-l pb-2">
        {points.slice(0, most).map((point) => (
          <Point key={point.checkpoint_id} point={point} workspace={workspace} />
        ))}
      </ol>
      {points.length > most && <Button onClick={() => setMost(most + atOnce)}>{recoveryWords.more}</Button>}
    </>
  )
}

function Point({ point, workspace }: { point: CheckpointSummary; workspace: string | null }) {
  const { run_id, checkpoint_id, name, created_at, restored, pending_approval, taxonomy } = point
  return (
    <li className="relative pb-3 pl-6">
      <span
        aria-hidden="true"
        className={`absolute top-4 -left-[5.5px] size-2.5 rounded-full border-2 border-canvas ${name === 'task_recovery_point' ? 'bg-cloud' : 'bg-desktop'}`}
      />
      <a
        href={restoreAddress(run_id, checkpoint_id)}
        onClick={followLink}
        className="block rounded-xl border border-line bg-surface px-4 py-3 shadow-card hover:border-line-strong"
      >
        <span className="flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1">
          <bdi className="min-w-0 break-words font-medium">{pointTitle(point)}</bdi>
          <time dateTime={created_at} className="text-faint text-sm">
            {formatTimeWithSeconds(created_at)}
          </time>
        </span>
        <PointTargets point={point} workspace={workspace} />
        <span className="mt-1.5 flex flex-wrap gap-1.5">
          <PointName name={name} />
          {isOpen(point) && <Badge tone="warn">{recoveryWords.open}</Badge>}
          {restored && <Badge tone="good">{recoveryWords.restored}</Badge>}
          {pending_approval && <Badge tone="warn">{recoveryWords.held}</Badge>}
          {taxonomy !== 'none' && !restored && <Badge tone="bad">{recoveryWords.failed}</Badge>}
        </span>
        <span className="mt-1.5 block text-faint text-sm">{pointContents(point)}</span>
        {closedText(point) !== null && <span className="block text-faint text-sm">{closedText(point)}</span>}
        {point.contents_deleted_at === null && <span className="mt-1 block text-cloud text-sm">{recoveryWords.look}</span>}
      </a>
    </li>
  )
}

/** A conversation may have several runs; changes of an earlier run are undone in its own timeline. */
function Siblings({ run_id }: { run_id: string }) {
  const runs = useWindowState((state) => state.runs)
  const conversation_id = runs.get(run_id)?.conversation_id
  const others = [...runs.values()]
    .filter((run) => run.conversation_id === conversation_id && run.run_id !== run_id)
    .sort((left, right) => (left.run_id < right.run_id ? 1 : -1))
  if (others.length === 0) return null
  return (
    <div className="mt-8">
      <Section title={recoveryWords.sameConversation}>
        <ul className="space-y-1">
          {others.slice(0, atOnce).map((run) => (
            <li key={run.run_id} className="flex gap-3">
              <a
                href={timelineAddress(run.run_id)}
                onClick={followLink}
                className="min-w-0 truncate text-cloud underline underline-offset-4"
              >
                {visibleName(run.title)}
              </a>
              <span className="shrink-0 text-faint text-sm">{formatTime(run.started_at)}</span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  )
}
