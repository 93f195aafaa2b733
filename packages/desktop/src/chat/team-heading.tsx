// The team of a conversation: who started its run and with which role, and a link to the whole team.
import { conversationAddress, followLink, teamAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useTeam } from '../client/use-team.ts'
import { SmallFold } from '../part/fold.tsx'
import { ConversationLink } from '../part/workflow/conversation-link.tsx'
import { memberOf, teamOf } from '../store/team.ts'
import { startedBy, teamRunIn } from '../store/team-run.ts'
import { teamWords } from '../strings/team.ts'
import { visibleName } from '../text/name.ts'
import { visibleText } from '../text/visible.ts'

const told = teamWords.heading
const link = 'text-cloud underline underline-offset-4'

export function TeamHeading({ conversation_id }: { conversation_id: string }) {
  const journal = useWindowState(({ journals }) => teamRunIn(journals.values(), conversation_id))
  if (journal === null) return null
  const parent = startedBy(journal)
  return (
    <div
      data-team-heading
      className="flex shrink-0 flex-wrap items-baseline gap-x-5 gap-y-1 border-line border-b px-4 py-1.5 text-sm sm:px-6"
    >
      <TeamLink key={journal.run_id} run_id={journal.run_id} />
      {parent !== null && <Parent run_id={parent.parent_run_id} />}
      {parent !== null && parent.role !== null && <Role text={parent.role} />}
    </div>
  )
}

/** Keeps the team up to date while the conversation is open. */
function TeamLink({ run_id }: { run_id: string }) {
  useTeam(run_id)
  const team = useWindowState((state) => teamOf(state, run_id))
  return (
    <a href={teamAddress(run_id)} onClick={followLink} className={link}>
      {team === null ? told.alone : told.members(team.members.length)}
    </a>
  )
}

function Parent({ run_id }: { run_id: string }) {
  const parent = useWindowState((state) => memberOf(state, run_id))
  return (
    <span className="min-w-0 break-words">
      <span className="text-faint">{told.startedBy} </span>
      {parent === null ? (
        <ConversationLink run_id={run_id} text={teamWords.asks.open} />
      ) : (
        <a href={conversationAddress(parent.conversation_id)} onClick={followLink} className={link}>
          {visibleName(parent.title)}
        </a>
      )}
    </span>
  )
}

function Role({ text }: { text: string }) {
  return (
    <SmallFold summary={told.role}>
      {() => <p className="max-w-3xl whitespace-pre-wrap break-words text-soft">{visibleText(text)}</p>}
    </SmallFold>
  )
}
