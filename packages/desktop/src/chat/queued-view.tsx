// A message that the user wrote while a run was open, until the run has received it. Until then it can be changed, removed, or sent now.
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import type { QueuedMessage } from '../store/queued-message.ts'
import { queueWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { AttachmentList } from './attachment-list.tsx'
import { TextEditor } from './text-editor.tsx'

export function QueuedView({ queued }: { queued: QueuedMessage }) {
  const client = useRuntimeClient()
  const { run_id, message_id, text, attachments } = queued
  const [doing, setDoing] = useState<'nothing' | 'editing' | 'sending'>('nothing')
  const conversation_id = useWindowState((state) => state.runs.get(run_id)?.conversation_id)
  const waits = useWindowState((state) => {
    const reason = state.runs.get(run_id)?.pause_reason
    return reason === 'approval' || reason === 'question' ? 'answer' : reason === 'budget' ? 'budget' : 'turn'
  })
  const again = async () => {
    if (conversation_id !== undefined) await client.readQueue({ run_id, conversation_id })
  }
  const save = async (next: string) => {
    const answer = await client.call(queueWords.doing.edit, 'agent_run_edit_queued', { run_id, message_id, text: next })
    await again()
    if (answer.ok) setDoing('nothing')
  }
  const remove = async () => {
    await client.call(queueWords.doing.remove, 'agent_run_remove_queued', { run_id, message_id })
    await again()
  }
  const sendNow = async () => {
    setDoing('sending')
    await client.call(queueWords.doing.sendNow, 'agent_run_send_now', { run_id })
    await again()
    setDoing('nothing')
  }
  return (
    <div data-role="user" data-queued="queued" className="flex flex-col items-end">
      {doing === 'editing' ? (
        <TextEditor
          text={text}
          label={queueWords.editing}
          action={words.save}
          onDone={(next) => void save(next)}
          onCancel={() => setDoing('nothing')}
        />
      ) : (
        <p
          dir="auto"
          className="max-w-[85%] whitespace-pre-wrap break-words rounded-2xl rounded-br-md border border-line-strong border-dashed px-4 py-2.5 text-soft"
        >
          <span className="sr-only">{words.thread.you}: </span>
          {visibleText(text)}
        </p>
      )}
      {attachments.length > 0 && (
        <div className="mt-2 max-w-[85%]">
          <AttachmentList attachments={attachments} />
        </div>
      )}
      {doing !== 'editing' && (
        <div className="mt-1 flex flex-wrap items-center justify-end gap-2 text-faint text-sm">
          <span role="status" className="text-right">
            {doing === 'sending' ? queueWords.sendingNow : queueWords.waits[waits]}
          </span>
          <span className="flex flex-wrap justify-end gap-2">
            <button type="button" className="quiet-field" disabled={doing === 'sending'} onClick={() => setDoing('editing')}>
              {queueWords.edit}
            </button>
            <button type="button" className="quiet-field" disabled={doing === 'sending'} onClick={() => void remove()}>
              {queueWords.remove}
            </button>
            <button
              type="button"
              className="quiet-field"
              title={queueWords.sendNowHint}
              disabled={doing === 'sending'}
              onClick={() => void sendNow()}
            >
              {queueWords.sendNow}
            </button>
          </span>
        </div>
      )}
    </div>
  )
}
