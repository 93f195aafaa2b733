// Requests to the user, shown above the composer, where they cannot be scrolled out of view or hidden in a card.
import type { PendingApproval } from '@tandem/contract/command'
import { QuestionForm } from '../card/question-body.tsx'
import { useWindowState } from '../client/use-client.ts'
import { Fold } from '../part/fold.tsx'
import { memberOf, teamsIn } from '../store/team.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { Approval } from './approval.tsx'
import { Asker } from './asker.tsx'
import { useFocusAfterAnswer } from './use-focus-after-answer.ts'

export function PendingRequests({ conversation_id }: { conversation_id: string }) {
  const approvals = useWindowState((state) => state.approvals)
  const questions = useWindowState((state) => state.questions)
  const runs = useWindowState((state) => state.runs)
  const teams = useWindowState((state) => state.teams)
  const around = useFocusAfterAnswer('#composer')
  const members = new Set(teamsIn({ teams }, conversation_id).flatMap((team) => team.members.map(({ run_id }) => run_id)))
  const isOwn = (run_id: string) => runs.get(run_id)?.conversation_id === conversation_id
  const isHere = ({ run_id }: { run_id: string }) => isOwn(run_id) || members.has(run_id)
  /** Another member of the team. */
  const askerOf = (run_id: string) => {
    const member = isOwn(run_id) ? null : memberOf({ teams }, run_id)
    return member && <Asker member={member} />
  }
  const mine = approvals.filter(isHere)
  const asked = questions.filter(isHere)
  const others = approvals.filter((one) => !isHere(one) && runs.has(one.run_id))
  const count = mine.length + asked.length + others.length
  if (count === 0) return null
  return (
    <div
      ref={around}
      className="dock-requests print-hidden mb-2 max-h-[min(70dvh,100dvh-16rem)] min-h-0 space-y-2 overflow-y-auto border-line border-t *:first:mt-2"
    >
      {count > 1 && <p className="text-faint text-sm">{navigationWords.pending.count(count)}</p>}
      {mine.map((pending) => (
        <Approval key={pending.approval.approval_id} {...pending} asker={askerOf(pending.run_id)} />
      ))}
      {asked.map(({ run_id, question }) => (
        <section key={question.question_id} aria-label={words.question.waiting} className="dock-box border-cloud-line">
          <p className="mb-2 text-cloud text-sm">{words.question.waiting}</p>
          {askerOf(run_id)}
          <QuestionForm run_id={run_id} question={question} />
        </section>
      ))}
      {others.map((pending) => (
        <Other key={pending.approval.approval_id} pending={pending} title={runs.get(pending.run_id)?.title ?? ''} />
      ))}
    </div>
  )
}

/** A request of another conversation: one line until it is opened, so that it is not mistaken for one of this conversation. */
function Other({ pending, title }: { pending: PendingApproval; title: string }) {
  const named = words.approval.other(visibleText(title), words.approval.title(pending.approval))
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <Fold
        summary={
          <span title={named} className="block truncate text-soft text-sm">
            {named}
          </span>
        }
      >
        {() => <Approval {...pending} />}
      </Fold>
    </div>
  )
}
