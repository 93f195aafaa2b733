// The copies of folders that members work in, with their age and size. One that was not merged is kept until a user discards it.
import type { TeamMember, WorkspaceCopy } from '@tandem/contract/team'
import { useState } from 'react'
import { followLink, teamAddress } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useCommand, useNewestEventNumber } from '../client/use-request.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { AskFirst } from '../part/form/ask-first.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { teamWords } from '../strings/team.ts'
import { formatAgo } from '../text/ago.ts'
import { formatBytes } from '../text/bytes.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

const told = teamWords.copies
const tones: Record<WorkspaceCopy['state'], Tone> = { in_use: 'cloud', unmerged: 'warn', merged: 'good' }
/** A copy grows while its member works. */
const look_ms = 10_000

/** Of these members, or of all teams. */
export function Copies({ members }: { members?: readonly TeamMember[] }) {
  const version = useNewestEventNumber(/^run_(?:started|completed|failed|canceled|resumed)$/)
  const copies = useCommand('team_get_copies', {}, { version, every_ms: look_ms })
  const [freed, setFreed] = useState('')
  const own = members && new Set(members.map(({ run_id }) => run_id))
  return (
    <Section
      title={told.title}
      lead={told.lead}
      aside={
        copies.state.state === 'ready' ? (
          <span className="text-faint text-sm">
            {told.used(formatBytes(copies.state.value.used_bytes), formatBytes(copies.state.value.quota_bytes))}
          </span>
        ) : null
      }
    >
      <p role="status" className="mb-2 text-good text-sm empty:hidden">
        {freed}
      </p>
      <RequestResult reading={copies}>
        {({ copies: all }) => {
          const shown = all.filter(({ run_id }) => own === undefined || own.has(run_id))
          return shown.length === 0 ? (
            <EmptyState>{told.none}</EmptyState>
          ) : (
            <Panel>
              <ul aria-label={told.title} className="divide-y divide-line">
                {shown.map((copy) => (
                  <CopyRow
                    key={copy.run_id}
                    copy={copy}
                    hasTeamLink={own === undefined}
                    onDiscarded={async (bytes) => {
                      setFreed(told.discarded(formatBytes(bytes)))
                      await copies.reload()
                    }}
                  />
                ))}
              </ul>
            </Panel>
          )
        }}
      </RequestResult>
    </Section>
  )
}

interface RowProps {
  readonly copy: WorkspaceCopy
  readonly hasTeamLink: boolean
  onDiscarded(freed_bytes: number): Promise<void>
}

function CopyRow({ copy, hasTeamLink, onDiscarded }: RowProps) {
  const client = useRuntimeClient()
  // The list is read again every few seconds.
  const now = client.clock.now()
  const { run_id, state, files, bytes, created_at, merged_at } = copy
  const title = visibleName(copy.title)
  const discard = async () => {
    const answer = await client.call(told.doing, 'team_discard_copy', { run_id })
    if (answer.ok) await onDiscarded(answer.value.freed_bytes)
  }
  return (
    <li data-copy={run_id} className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-72">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="min-w-0 break-words font-medium">{title}</span>
          <Badge tone={tones[state]}>{told.states[state]}</Badge>
          {hasTeamLink && !copy.run_is_erased && (
            <a
              href={teamAddress(run_id)}
              onClick={followLink}
              aria-label={told.teamOf(title)}
              className="text-cloud underline underline-offset-4"
            >
              {told.team}
            </a>
          )}
        </p>
        <p className="text-soft">{told.facts(formatAgo(created_at, now), formatBytes(bytes), files)}</p>
        {merged_at !== null && <p className="text-faint">{told.merged(formatAgo(merged_at, now))}</p>}
        {copy.run_is_erased && <p className="text-faint">{told.erased}</p>}
        <p className="break-all text-faint">
          <bdi>{told.of(visibleText(copy.copied_from))}</bdi>
        </p>
        <p className="break-all font-mono text-[12.5px] text-faint">
          <bdi>{visibleText(copy.folder)}</bdi>
        </p>
      </div>
      {state !== 'in_use' && (
        <AskFirst name={told.discard} label={told.discardOf(title)} question={told.question} yes={told.yes} act={discard} />
      )}
    </li>
  )
}
