// What the members of a team wrote to each other, oldest first.
import type { Team } from '@tandem/contract/team'
import { useCompleteList, useNewestEventNumber } from '../client/use-request.ts'
import { useThrottled } from '../client/use-throttled.ts'
import { Badge } from '../part/badge.tsx'
import { EmptyState } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { Panel, Section } from '../part/section.tsx'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'
import { visibleText } from '../text/visible.ts'

const told = teamWords.messages
const throttle_ms = 1_000

export function TeamMessages({ team: { root_run_id: run_id, members } }: { team: Team }) {
  const turns = members.reduce((sum, member) => sum + member.turns, 0)
  const version = `${useThrottled(useNewestEventNumber(/^tool_call_completed$/), throttle_ms)} ${turns}`
  const messages = useCompleteList('team_list_messages', { run_id }, { version })
  const titleOf = (id: string) => visibleName(members.find((member) => member.run_id === id)?.title ?? teamWords.line.unknown)
  return (
    <Section title={told.title}>
      <RequestResult reading={messages}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState>{told.none}</EmptyState>
          ) : (
            <Panel>
              <ol aria-label={told.title} className="max-h-[28rem] divide-y divide-line overflow-y-auto">
                {items.map(({ team_message_id, from_run_id, to_run_id, topic, text, sent_at }) => (
                  <li key={team_message_id} className="px-4 py-2.5 text-sm">
                    <p className="flex flex-wrap items-baseline gap-x-2 text-faint">
                      <span className="font-medium text-ink">{titleOf(from_run_id)}</span> {told.to}{' '}
                      <span>{to_run_id === null ? teamWords.line.everyone : titleOf(to_run_id)}</span>
                      {topic !== null && <Badge>{visibleName(topic)}</Badge>}
                      <time dateTime={sent_at} className="ml-auto">
                        {formatTime(sent_at)}
                      </time>
                    </p>
                    <p dir="auto" className="whitespace-pre-wrap break-words">
                      {visibleText(text)}
                    </p>
                  </li>
                ))}
              </ol>
            </Panel>
          )
        }
      </RequestResult>
    </Section>
  )
}
