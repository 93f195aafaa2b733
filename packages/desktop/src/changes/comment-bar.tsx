// The comments that wait, and sending them to the agent: to the run that works, or as a new one.
import { useRef, useState } from 'react'
import { sendMessage } from '../client/send-message.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { PrimaryButton } from '../part/form/primary-button.tsx'
import { isOnOtherDevice, openRunIn } from '../store/open-run.ts'
import { type SentMessage, sentAgain } from '../store/sent-message.ts'
import { changeWords } from '../strings/changes.ts'
import { CommentView } from './comment-form.tsx'
import { commentsMessage, inOrder, type LineComment } from './comments.ts'

interface Props {
  readonly conversation_id: string
  readonly comments: readonly LineComment[]
  onComment(comment: LineComment): void
  onRemove(id: string): void
  onSent(): void
}

export function CommentBar({ conversation_id, comments, onComment, onRemove, onSent }: Props) {
  const client = useRuntimeClient()
  const open = useWindowState((state) => openRunIn(state, conversation_id))
  const isAway = useWindowState((state) => isOnOtherDevice(state, open))
  const [isListed, setListed] = useState(false)
  const [editing, setEditing] = useState<string | null>(null)
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
        <button
          type="button"
          aria-expanded={isListed}
          onClick={() => setListed(!isListed)}
          className="text-cloud underline underline-offset-4"
        >
          {isListed ? words.hideAll : words.showAll}
        </button>
        {open?.state === 'running' && <span className="block text-faint">{words.queued}</span>}
      </p>
      {isListed && (
        // Also those whose lines are not shown, or not any more.
        <div className="order-first max-h-60 w-full overflow-y-auto">
          {inOrder(comments).map((comment) => (
            <CommentView
              key={comment.id}
              comment={comment}
              name={comment.name}
              isEditing={editing === comment.id}
              onEditing={(isOpen) => setEditing(isOpen ? comment.id : null)}
              onEdit={(text) => onComment({ ...comment, text })}
              onRemove={() => onRemove(comment.id)}
            />
          ))}
        </div>
      )}
      <PrimaryButton onClick={send} disabled={sending || isAway}>
        {sending ? words.sending : words.send}
      </PrimaryButton>
      <Button onClick={onSent} disabled={sending}>
        {words.discard}
      </Button>
    </div>
  )
}
