// Names what waits for the user, with a link, in one line above every page: conversations, policy candidates and recommendations.
import { conversationAddress, evolutionAddress, followLink, learningAddress } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { useWaitingRecommendations } from '../evolution/use-waiting-recommendations.ts'
import { useWaitingCandidates } from '../learning/use-waiting-candidates.ts'
import { placeOfRun } from '../store/pending.ts'
import { teamOf } from '../store/team.ts'
import { evolutionWords } from '../strings/evolution.ts'
import { learningWords } from '../strings/learning.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const mostNamed = 3

export function PendingBar({ path }: { path: string }) {
  const approvals = useWindowState((state) => state.approvals)
  const questions = useWindowState((state) => state.questions)
  const runs = useWindowState((state) => state.runs)
  const conversations = useWindowState((state) => state.conversations)
  const teams = useWindowState((state) => state.teams)
  const placeOf = (run_id: string) => placeOfRun({ runs, teams }, run_id)
  /** The dock of the open conversation shows what any member of its team needs. */
  const isShown = (run_id: string) =>
    path === '/pending' ||
    path === `/c/${runs.get(run_id)?.conversation_id}` ||
    teamOf({ teams }, run_id)?.members.some(({ conversation_id }) => path === `/c/${conversation_id}`)
  const waiting = [...approvals, ...questions].filter(({ run_id }) => !isShown(run_id))
  const elsewhere = [...new Set(waiting.flatMap(({ run_id }) => placeOf(run_id) ?? []))]
  const nameOf = (conversation_id: string) => {
    const name = visibleText(conversations?.get(conversation_id)?.title ?? words.places.chat)
    const asked = approvals.find(({ run_id }) => placeOf(run_id) === conversation_id)
    return asked ? words.approval.elsewhereFor(name, words.approval.title(asked.approval)) : name
  }
  const waitingCandidates = useWaitingCandidates().state
  const candidates =
    waitingCandidates.state === 'ready' && !path.startsWith(learningAddress('candidates')) ? waitingCandidates.value.items : []
  const recommendations = useWaitingRecommendations()
  const asking = recommendations === null || path.startsWith(evolutionAddress()) ? [] : recommendations
  const groups: readonly WaitingGroup[] = [
    {
      ...{ lead: words.approval.elsewhere, short: navigationWords.pending.conversations, all: '/pending' },
      items: elsewhere.map((id) => ({ id, href: conversationAddress(id), name: nameOf(id) })),
    },
    {
      ...{ lead: learningWords.waiting, short: learningWords.waitingShort, all: learningAddress('candidates') },
      items: candidates.map(({ id, title }) => ({ id, href: learningAddress('candidates', id), name: visibleText(title) })),
    },
    {
      ...{ lead: evolutionWords.waiting, short: evolutionWords.waitingShort, all: evolutionAddress('recommendations') },
      items: asking.map(({ id, title }) => ({ id, href: evolutionAddress('recommendations', id), name: visibleText(title) })),
    },
  ]
  const [first, ...others] = groups.filter(({ items }) => items.length > 0)
  return (
    <div role="status" className={first ? 'shrink-0 border-line border-b bg-warn-soft px-4 py-1 text-sm/6 text-warn' : ''}>
      {first && others.length === 0 && <Group group={first} named={mostNamed} />}
      {first && others.length > 0 && <SeveralGroups groups={[first, ...others]} />}
    </div>
  )
}

interface WaitingGroup {
  lead(count: number): string
  /** Without the verb, next to those of other groups. */
  short(count: number): string
  /** The page with all of them. */
  readonly all: string
  readonly items: readonly { readonly id: string; readonly href: string; readonly name: string }[]
}

const link = 'underline underline-offset-4'

/** One line, whatever the names are: what it pushes down is the page that the user works in. */
function Group({ group: { lead, short, all, items }, named }: { group: WaitingGroup; named: number }) {
  const shown = items.length > named ? [] : items
  return (
    // Only names are shortened.
    <div className={`flex gap-x-3 max-sm:flex-wrap ${shown.length > 0 ? 'min-w-96 flex-1 max-sm:min-w-0' : 'shrink-0'}`}>
      <span className="shrink-0">{lead(items.length)}</span>
      {shown.map(({ id, href, name }) => (
        <a
          key={id}
          href={href}
          title={name}
          onClick={followLink}
          // Several names in a narrow window would be a few letters each.
          className={`${link} min-w-0 truncate ${items.length > 1 ? 'max-sm:hidden' : ''}`}
        >
          {name}
        </a>
      ))}
      {items.length > 1 && (
        <a
          href={all}
          onClick={followLink}
          aria-label={navigationWords.pending.reviewOf(short(items.length))}
          className={`${link} shrink-0`}
        >
          {navigationWords.pending.review}
        </a>
      )}
    </div>
  )
}

function SeveralGroups({ groups }: { groups: readonly WaitingGroup[] }) {
  return (
    <>
      <div className="flex flex-wrap gap-x-5 max-[60rem]:hidden">
        {groups.map((group) => (
          <Group key={group.all} group={group} named={1} />
        ))}
      </div>
      <div className="flex flex-wrap gap-x-3 min-[60rem]:hidden">
        {navigationWords.pending.waiting}
        {groups.map(({ short, all, items }) => {
          const [only] = items.length === 1 ? items : []
          return (
            <a key={all} href={only?.href ?? all} title={only?.name} onClick={followLink} className={`${link} whitespace-nowrap`}>
              {short(items.length)}
            </a>
          )
        })}
      </div>
    </>
  )
}
