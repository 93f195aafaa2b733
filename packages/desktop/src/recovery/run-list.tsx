import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import type { LocalRun } from '@tandem/contract/command'
import { useState } from 'react'
import { followLink, timelineAddress } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { useNewestEventNumber, useRequest } from '../client/use-request.ts'
import type { CallResult } from '../connection/channel.ts'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { LoadingPlaceholder } from '../part/load-error.tsx'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { runTones } from '../part/state-tones.ts'
import { recoveryWords } from '../strings/recovery.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { pointTitle } from './recovery-point.tsx'

const atOnce = 20

interface RunWithPoint {
  readonly run: LocalRun
  readonly newest: CheckpointSummary
}

export function RunList() {
  const client = useRuntimeClient()
  const runs = useWindowState((state) => state.runs)
  const isRead = useWindowState((state) => state.conversations !== null)
  const [most, setMost] = useState(atOnce)
  const newest = useNewestEventNumber(/^checkpoint_/)
  const sorted = [...runs.values()].sort((left, right) => (left.run_id < right.run_id ? 1 : -1))
  const looked = sorted.slice(0, most)
  const points = useRequest(
    `runs:${isRead}`,
    async (): Promise<CallResult<readonly RunWithPoint[]>> => {
      const pages = await Promise.all(looked.map(({ run_id }) => client.channel.call('agent_run_list_checkpoints', { run_id, limit: 1 })))
      const refused = pages.find((page) => !page.ok)
      if (refused && !refused.ok) return refused
      return { ok: true, value: looked.flatMap((run, at) => pointOf(run, pages[at])) }
    },
    { version: newest + looked.length },
  )
  return (
    <PageLayout title={recoveryWords.title} lead={recoveryWords.lead}>
      <Section title={recoveryWords.choose}>
        {isRead ? <RequestResult reading={points}>{(found) => <Runs found={found} />}</RequestResult> : <LoadingPlaceholder />}
        {sorted.length > most && (
          <Button className="mt-3" onClick={() => setMost(most + atOnce)}>
            {recoveryWords.more}
          </Button>
        )}
      </Section>
    </PageLayout>
  )
}

function Runs({ found }: { found: readonly RunWithPoint[] }) {
  if (found.length === 0) return <EmptyState>{recoveryWords.none}</EmptyState>
  return (
    <Panel className="overflow-hidden">
      <ul className="divide-y divide-line">
        {found.map(({ run, newest: point }) => (
          <li key={run.run_id}>
            <a
              href={timelineAddress(run.run_id)}
              onClick={followLink}
              className="block px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
            >
              <span className="flex items-baseline justify-between gap-3">
                <bdi title={visibleName(run.title)} className="min-w-0 truncate font-medium">
                  {visibleName(run.title)}
                </bdi>
                <Badge tone={runTones[run.state]}>{words.cards.run[run.state]}</Badge>
              </span>
              <span className="mt-0.5 block text-faint text-sm">
                {formatTime(point.created_at)} · {pointTitle(point)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function pointOf(run: LocalRun, page: CallResult<{ readonly items: CheckpointSummary[] }> | undefined): RunWithPoint[] {
  const newest = page?.ok ? page.value.items[0] : undefined
  return newest ? [{ run, newest }] : []
}
