// The first runs of the newest teams.
import { followLink, teamAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { EmptyState } from '../part/page-layout.tsx'
import { Panel, Section } from '../part/section.tsx'
import { MemberBadge } from '../part/team/member-badge.tsx'
import { firstRuns } from '../store/team.ts'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'
import { formatTime } from '../text/time.ts'

export function RecentTeams() {
  const runs = useWindowState((state) => state.runs)
  const teams = useWindowState((state) => state.teams)
  const first = firstRuns({ runs, teams })
  return (
    <Section title={teamWords.recent.title}>
      {first.length === 0 ? (
        <EmptyState>{teamWords.recent.none}</EmptyState>
      ) : (
        <Panel className="overflow-hidden">
          <ul aria-label={teamWords.recent.title} className="divide-y divide-line">
            {first.map(({ run_id, title, state, pause_reason, started_at }) => (
              <li key={run_id}>
                <a
                  href={teamAddress(run_id)}
                  onClick={followLink}
                  className="flex items-baseline justify-between gap-3 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2"
                >
                  <span className="min-w-0 truncate font-medium">{visibleName(title)}</span>
                  <span className="ml-auto shrink-0 text-faint text-sm">{formatTime(started_at)}</span>
                  <MemberBadge state={state} pause_reason={pause_reason} />
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  )
}
