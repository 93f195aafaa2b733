import type { CheckpointSummary } from '@tandem/contract/checkpoint'
import type { LocalRun } from '@tandem/contract/command'
import { useState } from 'react'
import { followLink, timelineAddress } from '../address.ts'
import type { Answer } from '../connection/channel.ts'
import { useAsked, useNewest } from '../desk/use-asked.ts'
import { useDesk, useWindow } from '../desk/use-desk.ts'
import { Answered } from '../part/answered.tsx'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/form/button.tsx'
import { Empty, Place } from '../part/place.tsx'
import { Panel, Section } from '../part/section.tsx'
import { runTones } from '../part/state-tones.ts'
import { Waiting } from '../part/trouble.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { timeOf } from '../text/time.ts'
import { titleOf } from './point.tsx'

const atOnce = 20

interface RunWithPoint {
  readonly run: LocalRun
  readonly newest: CheckpointSummary
}

export function RunList() {
  const desk = useDesk()
  const runs = useWindow((state) => state.runs)
  const isRead = useWindow((state) => state.conversations !== null)
  const [most, setMost] = useState(atOnce)
  const newest = useNewest(/^checkpoint_/)
  const sorted = [...runs.values()].sort((left, right) => (left.run_id < right.run_id ? 1 : -1))
  const looked = sorted.slice(0, most)
  const points = useAsked(
    `runs:${isRead}`,
    async (): Promise<Answer<readonly RunWithPoint[]>> => {
      const pages = await Promise.all(looked.map(({ run_id }) => desk.channel.call('agent_run_list_checkpoints', { run_id, limit: 1 })))
      const refused = pages.find((page) => !page.ok)
      if (refused && !refused.ok) return refused
      return { ok: true, value: looked.flatMap((run, at) => pointOf(run, pages[at])) }
    },
    { version: newest + looked.length },
  )
  return (
    <Place title={recoveryWords.title} lead={recoveryWords.lead}>
      <Section title={recoveryWords.choose}>
        {isRead ? <Answered reading={points}>{(found) => <Runs found={found} />}</Answered> : <Waiting />}
        {sorted.length > most && (
          <Button className="mt-3" onClick={() => setMost(most + atOnce)}>
            {recoveryWords.more}
          </Button>
        )}
      </Section>
    </Place>
  )
}

function Runs({ found }: { found: readonly RunWithPoint[] }) {
  if (found.length === 0) return <Empty>{recoveryWords.none}</Empty>
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
                <bdi className="min-w-0 truncate font-medium">{visibleName(run.title)}</bdi>
                <Badge tone={runTones[run.state]}>{words.cards.run[run.state]}</Badge>
              </span>
              <span className="mt-0.5 block text-faint text-sm">
                {timeOf(point.created_at)} · {titleOf(point)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function pointOf(run: LocalRun, page: Answer<{ readonly items: CheckpointSummary[] }> | undefined): RunWithPoint[] {
  const newest = page?.ok ? page.value.items[0] : undefined
  return newest ? [{ run, newest }] : []
}
