// Names what waits for the user, with a link, above every page: conversations, policy candidates and recommendations.
import type { ReactNode } from 'react'
import { evolutionAddress, followLink, learningAddress } from '../address.ts'
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
  return (
    <div
      role="status"
      className={
        elsewhere.length + candidates.length + asking.length === 0
          ? ''
          : 'max-h-18 shrink-0 overflow-y-auto border-line border-b bg-warn-soft px-4 py-1.5 text-sm text-warn sm:max-h-32'
      }
    >
      <Waiting lead={words.approval.elsewhere} items={elsewhere.map((id) => ({ id, href: `/c/${id}`, name: nameOf(id) }))}>
        <a href="/pending" onClick={followLink} className="mr-3 underline underline-offset-4">
          {navigationWords.pending.review}
        </a>
      </Waiting>
      <Waiting
        lead={learningWords.waiting}
        items={candidates.map(({ id, title }) => ({ id, href: learningAddress('candidates', id), name: visibleText(title) }))}
      />
      <Waiting
        lead={evolutionWords.waiting}
        items={asking.map(({ id, title }) => ({ id, href: evolutionAddress('recommendations', id), name: visibleText(title) }))}
      />
    </div>
  )
}

interface WaitingProps {
  readonly children?: ReactNode
  lead(count: number): string
  readonly items: readonly { readonly id: string; readonly href: string; readonly name: string }[]
}

function Waiting({ lead, items, children }: WaitingProps) {
  if (items.length === 0) return null
  return (
    <>
      {lead(items.length)}{' '}
      {items.slice(0, mostNamed).map(({ id, href, name }) => (
        <a key={id} href={href} onClick={followLink} className="mr-3 underline underline-offset-4">
          {name}
        </a>
      ))}
      {children}
    </>
  )
}
