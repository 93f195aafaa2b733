// One team: its members as a tree, its budget, the messages between its members, and the copies that they work in.
import type { Team } from '@tandem/contract/team'
import { conversationAddress, followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useTeam } from '../client/use-team.ts'
import { EmptyState, PageLayout } from '../part/page-layout.tsx'
import { RequestResult } from '../part/request-result.tsx'
import { OtherDevice } from '../part/workflow/other-device.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { Budget } from './budget.tsx'
import { Copies } from './copies.tsx'
import { MemberTree } from './member-tree.tsx'
import { TeamControls } from './team-controls.tsx'
import { TeamMessages } from './team-messages.tsx'

const link = 'text-cloud underline underline-offset-4'

export function TeamPage({ run_id }: { run_id: string }) {
  const reading = useTeam(run_id)
  const { state: asked } = reading
  const first = asked.state === 'ready' ? firstOf(asked.value) : undefined
  const isGone = asked.state === 'failed' && asked.error.code === 'not_found'
  return (
    <PageLayout title={first === undefined ? teamWords.one : visibleName(first.title)} lead={first === undefined ? '' : teamWords.one}>
      <p className="-mt-3 mb-6 flex flex-wrap gap-x-5 text-sm">
        <a href="/teams" onClick={followLink} className={link}>
          {teamWords.back}
        </a>
        {first && (
          <a href={conversationAddress(first.conversation_id)} onClick={followLink} className={link}>
            {words.runs.open}
          </a>
        )}
      </p>
      {isGone ? (
        <EmptyState>{teamWords.gone}</EmptyState>
      ) : (
        <RequestResult reading={reading}>{(team) => <Opened team={team} again={reading.reload} />}</RequestResult>
      )}
    </PageLayout>
  )
}

function Opened({ team, again }: { team: Team; again(): Promise<void> }) {
  const first = firstOf(team)
  const isAway = useWindowState((state) => isOnOtherDevice(state, first))
  const isUsedUp = team.members.some(({ pause_reason }) => pause_reason === 'budget')
  const budget = team.budget && (
    <Budget run_id={team.root_run_id} budget={team.budget} isUsedUp={isUsedUp} canRaise={!isAway} again={again} />
  )
  return (
    <>
      <div className="mb-8">
        {isAway && first ? <OtherDevice device_id={first.device_id} /> : <TeamControls team={team} again={again} />}
      </div>
      {isUsedUp && budget}
      <MemberTree members={team.members} />
      {!isUsedUp && budget}
      <TeamMessages team={team} />
      {!isAway && <Copies members={team.members} />}
    </>
  )
}

function firstOf({ root_run_id, members }: Team) {
  return members.find(({ run_id }) => run_id === root_run_id) ?? members[0]
}
