// The Teams page: recent teams, copies and delegation; or one team.
import { PageLayout } from '../part/page-layout.tsx'
import { teamWords } from '../strings/team.ts'
import { Copies } from './copies.tsx'
import { Delegation } from './delegation.tsx'
import { RecentTeams } from './recent-teams.tsx'
import { TeamPage } from './team-page.tsx'

export default function Teams({ run_id }: { run_id?: string }) {
  if (run_id !== undefined) return <TeamPage key={run_id} run_id={run_id} />
  return (
    <PageLayout title={teamWords.title} lead={teamWords.lead}>
      <RecentTeams />
      <Copies />
      <Delegation />
    </PageLayout>
  )
}
