// The comments that wait, and sending them to the agent: to the run that works, or as a new one.
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { isOnOtherDevice, openRunIn } from '../store/open-run.ts'
import { changeWords } from '../strings/changes.ts'
import { commentsMessage, inOrder, type LineComment } from './comments.ts'

interface Props {
  readonly conversation_id: string
  readonly comments: readonly LineComment[]
  onSent(): void
}

export function CommentBar({ conversation_id, comments, onSent }: Props) {
  const client = useRuntimeClient()
  const open = useWindowState((state) => openRunIn(state, conversation_id))
  const isAway = useWindowState((state) => isOnOtherDevice(state, open))
  const [sending, setSending] = useState(false)
  const [key] = useState(() => crypto.randomUUID())
  const words = changeWords.comment
  const send = async () => {
    setSending(true)
    const text = commentsMessage(inOrder(comments))
    const answer = open
      ? await client.call(changeWords.doing.send, 'agent_run_add_message', { run_id: open.run_id, text, key })
      : await client.call(changeWords.doing.send, 'agent_run_start', { conversation_id, text, key })
    setSending(false)
    if (!answer.ok) return
    onSent()
    if (open) await client.readQueue({ run_id: open.run_id, conversation_id: open.conversation_id })
    await client.refreshLists()
  }
  return (
    <div className="flex flex-wrap items-center gap-2 border-line border-t bg-surface px-3 py-2.5">
      <p role="status" className="min-w-0 grow text-sm">
        {words.waiting(comments.length)}
        {open?.state === 'running' && <span className="block text-faint">{words.queued}</span>}
      </p>
      <PrimaryButton onClick={send} disabled={sending || isAway}>
        {sending ? words.sending : words.send}
      </PrimaryButton>
      <Button onClick={onSent} disabled={sending}>
        {words.discard}
      </Button>
    </div>
  )
}
