// What happens in a team, in the thread of a run: a line per run that it started, messages between members, and merges.
import { conversationAddress, followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { Badge } from '../part/badge.tsx'
import { SmallFold } from '../part/fold.tsx'
import { Icon } from '../part/icon.tsx'
import { MemberBadge } from '../part/team/member-badge.tsx'
import { ConversationLink } from '../part/workflow/conversation-link.tsx'
import { memberOf } from '../store/team.ts'
import type { TeamNews } from '../store/team-news.ts'
import { teamWords } from '../strings/team.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'

const told = teamWords.line

type NewsOf<Kind extends TeamNews['kind']> = Extract<TeamNews, { kind: Kind }>

export function TeamLine({ news }: { news: TeamNews }) {
  switch (news.kind) {
    case 'member':
      return <MemberLine news={news} />
    case 'message':
      return <MessageLine news={news} />
    case 'merge':
      return <MergeLine news={news} />
  }
}

function MemberLine({ news: { step, end, set_aside } }: { news: NewsOf<'member'> }) {
  const member = useWindowState((state) => memberOf(state, step.child_run_id))
  const title = visibleName(step.title)
  const usage = end?.usage ?? member?.usage
  const tokens = usage === undefined ? 0 : usage.input_tokens + usage.output_tokens
  const failure = end?.failure_contract ?? null
  const doing = end === null ? (member?.doing ?? null) : null
  return (
    <article
      aria-label={told.member(title)}
      data-team="member"
      data-state={end?.state ?? member?.state ?? 'running'}
      className={`rounded-lg border border-line bg-surface px-3 py-1.5 text-sm ${set_aside ? 'set-aside' : ''}`}
    >
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
        <Icon name="agents" size={14} className="shrink-0 text-faint" />
        <span className="min-w-0 break-words font-medium">{title}</span>
        {member && <span className="text-faint">{visibleName(member.agent_name)}</span>}
        {tokens > 0 && <span className="text-faint tabular-nums">{told.tokens(tokens)}</span>}
        <span className="ml-auto flex items-center gap-2.5">
          {set_aside && <Badge>{words.thread.setAside}</Badge>}
          <MemberBadge state={end?.state ?? member?.state ?? 'running'} pause_reason={end ? null : (member?.pause_reason ?? null)} />
          {member ? (
            <a
              href={conversationAddress(member.conversation_id)}
              onClick={followLink}
              aria-label={told.openOf(title)}
              className="text-cloud underline underline-offset-4"
            >
              {told.open}
            </a>
          ) : (
            <ConversationLink run_id={step.child_run_id} text={told.open} label={told.openOf(title)} />
          )}
        </span>
      </p>
      {doing !== null && <p className="truncate pl-6 text-soft">{visibleName(doing)}</p>}
      {failure && <p className="break-words pl-6 text-bad">{visibleSentence(failure.details.message)}</p>}
    </article>
  )
}

function MessageLine({ news: { step, is_last, set_aside } }: { news: NewsOf<'message'> }) {
  const from = useTitle(step.from_run_id)
  const to = useTitle(step.to_run_id)
  const text = (
    <p dir="auto" className="whitespace-pre-wrap break-words pl-6">
      {visibleText(step.text)}
    </p>
  )
  const target = step.to_run_id === null ? told.everyone : (to ?? told.unknown)
  if (is_last)
    return (
      <article data-team="message" className={`px-3 ${set_aside ? 'set-aside' : ''}`}>
        <SmallFold summary={told.lastMessage(from ?? told.unknown)}>{() => text}</SmallFold>
        {set_aside && <Badge>{words.thread.setAside}</Badge>}
      </article>
    )
  return (
    <article data-team="message" className={`rounded-lg bg-sunken px-3 py-1.5 text-sm ${set_aside ? 'set-aside' : ''}`}>
      <p className="flex flex-wrap items-center gap-x-2.5 text-faint">
        <Icon name="chat" size={14} className="shrink-0" />
        <span className="min-w-0 break-words">{told.message(from ?? told.unknown, target)}</span>
        {step.topic !== undefined && <Badge>{visibleName(step.topic)}</Badge>}
        {set_aside && <Badge>{words.thread.setAside}</Badge>}
      </p>
      {text}
    </article>
  )
}

function MergeLine({ news: { step, set_aside } }: { news: NewsOf<'merge'> }) {
  const title = useTitle(step.child_run_id)
  return (
    <p
      data-team="merge"
      className={`flex items-baseline gap-2.5 rounded-lg bg-good-soft px-3 py-1.5 text-good text-sm ${set_aside ? 'set-aside' : ''}`}
    >
      <Icon name="check" size={14} className="shrink-0 self-center" />
      <span className="min-w-0 break-words">{told.merged(title, step.changed_paths, step.conflicts)}</span>
      {set_aside && <Badge>{words.thread.setAside}</Badge>}
    </p>
  )
}

/** Null until its team was read. */
function useTitle(run_id: string | null): string | null {
  const title = useWindowState((state) => (run_id === null ? null : (memberOf(state, run_id)?.title ?? null)))
  return title === null ? null : visibleName(title)
}
