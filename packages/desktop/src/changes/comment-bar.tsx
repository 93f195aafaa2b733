// The comments that wait, and sending them to the agent: to the run that works, or as a new one.
import { useRef, useState } from 'react'
import { type SentMessage, sentAgain } from '../chat/sent-message.ts'
import { sendMessage } from '../client/send-message.ts'
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
  const lastSent = useRef<SentMessage | null>(null)
  const words = changeWords.comment
  const send = async () => {
    setSending(true)
    const text = commentsMessage(inOrder(comments))
    lastSent.current = sentAgain(lastSent.current, { text, attachments: [] }, () => crypto.randomUUID())
    const device_id = client.store.get().status?.device_id ?? null
    const answer = await sendMessage(client.channel, { conversation_id, open, device_id }, { text, key: lastSent.current.key })
    setSending(false)
    if (!answer.ok) return client.showError(changeWords.doing.send, answer.error)
    client.succeeded(changeWords.doing.send)
    lastSent.current = null
    onSent()
    await Promise.all([client.readQueue(answer.value), client.refreshLists()])
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
