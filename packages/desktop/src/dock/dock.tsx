// What waits for a person stands above the composer: it can't be scrolled away or hidden in a card.
import { QuestionForm } from '../card/question-body.tsx'
import { useWindow } from '../desk/use-desk.ts'
import { words } from '../strings/window.ts'
import { Approval } from './approval.tsx'

export function Dock({ conversation_id }: { conversation_id: string }) {
  const approvals = useWindow((state) => state.approvals)
  const questions = useWindow((state) => state.questions)
  const runs = useWindow((state) => state.runs)
  const isHere = ({ run_id }: { run_id: string }) => runs.get(run_id)?.conversation_id === conversation_id
  const mine = approvals.filter(isHere)
  const asked = questions.filter(isHere)
  if (mine.length + asked.length === 0) return null
  return (
    <div className="mb-2 max-h-[60dvh] space-y-2 overflow-y-auto">
      {mine.length > 1 && <p className="text-faint text-sm">{words.approval.waiting(mine.length)}</p>}
      {mine.map((pending) => (
        <Approval key={pending.approval.approval_id} {...pending} />
      ))}
      {asked.map(({ run_id, question }) => (
        <section key={question.question_id} aria-label={words.question.waiting} className="dock-box border-cloud-line">
          <p className="mb-2 text-cloud text-sm">{words.question.waiting}</p>
          <QuestionForm run_id={run_id} question={question} />
        </section>
      ))}
    </div>
  )
}
