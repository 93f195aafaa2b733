// Names a conversation that waits for the user, with a link, above every page.
import { approvalTitle } from '@tandem/contract/run'
import { followLink } from '../address.ts'
import { useWindowState } from '../client/use-client.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'

const mostNamed = 3

export function PendingBar({ path }: { path: string }) {
  const approvals = useWindowState((state) => state.approvals)
  const questions = useWindowState((state) => state.questions)
  const runs = useWindowState((state) => state.runs)
  const conversations = useWindowState((state) => state.conversations)
  const waiting = [...new Set([...approvals, ...questions].flatMap(({ run_id }) => runs.get(run_id)?.conversation_id ?? []))]
  const elsewhere = waiting.filter((conversation_id) => path !== `/c/${conversation_id}`)
  const nameOf = (conversation_id: string) => {
    const name = visibleText(conversations?.get(conversation_id)?.title ?? words.places.chat)
    const asked = approvals.find(({ run_id }) => runs.get(run_id)?.conversation_id === conversation_id)
    return asked ? words.approval.elsewhereFor(name, approvalTitle(asked.approval)) : name
  }
  return (
    <div role="status" className={elsewhere.length === 0 ? '' : 'border-line border-b bg-warn-soft px-4 py-1.5 text-sm text-warn'}>
      {elsewhere.length > 0 && (
        <>
          {words.approval.elsewhere(elsewhere.length)}{' '}
          {elsewhere.slice(0, mostNamed).map((conversation_id) => (
            <a key={conversation_id} href={`/c/${conversation_id}`} onClick={followLink} className="mr-3 underline underline-offset-4">
              {nameOf(conversation_id)}
            </a>
          ))}
        </>
      )}
    </div>
  )
}
