// One member: its state, what it does, what it has used, and what it needs from the user.
import { isTerminalRunState } from '@tandem/contract/run'
import type { TeamMember } from '@tandem/contract/team'
import { conversationAddress, followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useDeviceName } from '../client/use-device-name.ts'
import { Elapsed } from '../part/elapsed.tsx'
import { SmallFold } from '../part/fold.tsx'
import { MemberBadge } from '../part/team/member-badge.tsx'
import { isOnOtherDevice } from '../store/open-run.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

const told = teamWords.members

export function MemberRow({ member }: { member: TeamMember }) {
  const { title, agent_name, conversation_id, state, pause_reason, doing, failure_contract, role, device_id } = member
  const isAway = useWindowState((window) => isOnOtherDevice(window, member))
  const isOver = isTerminalRunState(state)
  const href = conversationAddress(conversation_id)
  return (
    <article data-member={member.run_id} data-state={state} className="min-w-0 px-3 py-2.5 text-sm sm:px-4">
      <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <a href={href} onClick={followLink} className="min-w-0 break-words font-medium underline-offset-4 hover:underline">
          {visibleName(title)}
        </a>
        <span className="text-faint">{visibleName(agent_name)}</span>
        <span className="ml-auto">
          <MemberBadge state={state} pause_reason={pause_reason} />
        </span>
      </p>
      {doing !== null && (
        <p className="break-words text-soft">
          <span className="text-faint">{isOver ? told.did : told.doing}:</span> {visibleName(doing)}
        </p>
      )}
      <Waiting member={member} href={href} />
      {failure_contract && <p className="break-words text-bad">{visibleSentence(failure_contract.details.message)}</p>}
      <Numbers member={member} />
      <Workspace member={member} />
      {isAway && <Device device_id={device_id} />}
      {role !== null && (
        <SmallFold summary={told.role}>{() => <p className="whitespace-pre-wrap break-words text-soft">{visibleText(role)}</p>}</SmallFold>
      )}
    </article>
  )
}

function Waiting({ member: { pending_approvals, pending_questions, pause_reason }, href }: { member: TeamMember; href: string }) {
  const pending = [
    ...(pending_approvals > 0 ? [told.approvals(pending_approvals)] : []),
    ...(pending_questions > 0 ? [told.questions(pending_questions)] : []),
  ]
  if (pending.length > 0) {
    return (
      <p>
        <a href={href} onClick={followLink} className="text-warn underline underline-offset-4">
          {pending.join(', ')}
        </a>
      </p>
    )
  }
  return pause_reason === null ? null : <p className="text-warn">{words.cards.pause[pause_reason]}</p>
}

function Numbers({ member: { title, usage, turns, share, started_at, ended_at } }: { member: TeamMember }) {
  const tokens = usage.input_tokens + usage.output_tokens
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-faint tabular-nums">
      <span>
        <Elapsed since={started_at} until={ended_at} />
      </span>
      <span>{told.tokens(tokens)}</span>
      <span>{told.turns(turns)}</span>
      {share && (
        <span className="flex items-center gap-2">
          {told.share(share.turns, share.tokens)}
          <progress
            value={Math.min(tokens, share.tokens)}
            max={Math.max(1, share.tokens)}
            aria-label={told.shareOf(visibleName(title))}
            className="bar w-16"
          />
        </span>
      )}
    </div>
  )
}

function Workspace({ member: { workspace, claims } }: { member: TeamMember }) {
  if (workspace === null) return null
  const paths = claims.map(visibleText).join(', ')
  return (
    <p className="break-words text-faint">
      {told.workspaces[workspace]}
      {workspace === 'shared' && ` · ${claims.length === 0 ? told.noClaims : told.claims(paths)}`}
    </p>
  )
}

function Device({ device_id }: { device_id: string }) {
  const name = useDeviceName(device_id)
  return <p className="text-faint">{told.device(visibleName(name ?? device_id))}</p>
}
