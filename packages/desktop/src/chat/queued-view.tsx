// A message that the user wrote while a run was open, until a run has received it. Until then it can be changed, removed, or sent now.
import { isTerminalRunState } from '@tandem/contract/run'
import { useState } from 'react'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { keepDraft, readDraft } from '../store/draft.ts'
import type { QueuedMessage } from '../store/queued-message.ts'
import type { WindowState } from '../store/window-state.ts'
import { queueWords } from '../strings/branching.ts'
import { words } from '../strings/window.ts'
import { visibleText } from '../text/visible.ts'
import { AttachmentList } from './attachment-list.tsx'
import { TextEditor } from './text-editor.tsx'
import { editPlace } from './use-late-edits.ts'

export function QueuedView({ queued }: { queued: QueuedMessage }) {
  const client = useRuntimeClient()
  const { run_id, message_id, text, attachments } = queued
  const place = editPlace(message_id)
  const [doing, setDoing] = useState<'nothing' | 'editing' | 'sending'>(() => (readDraft(place) === '' ? 'nothing' : 'editing'))
  const conversation_id = useWindowState((state) => (state.journals.get(run_id) ?? state.runs.get(run_id))?.conversation_id)
  const waits = useWindowState((state) => waitOf(state, run_id))
  const isUnsent = waits === 'stopped' || waits === 'ended'
  const again = async () => {
    if (conversation_id !== undefined) await client.readQueue({ run_id, conversation_id })
  }
  const save = async (next: string) => {
    const answer = await client.call(queueWords.doing.edit, 'agent_run_edit_queued', { run_id, message_id, text: next })
    if (answer.ok) endEditing()
    await again()
  }
  const endEditing = () => {
    keepDraft(place, '')
    setDoing('nothing')
  }
  const remove = async () => {
    await client.call(queueWords.doing.remove, 'agent_run_remove_queued', { run_id, message_id })
    await again()
  }
  const sendNow = async () => {
    setDoing('sending')
    await client.call(isUnsent ? queueWords.doing.send : queueWords.doing.sendNow, 'agent_run_send_now', { run_id })
    if (isUnsent) await client.refreshLists()
    await again()
    setDoing('nothing')
  }
  return (
    <div data-role="user" data-queued="queued" className="flex flex-col items-end">
      {doing === 'editing' ? (
        <TextEditor
          text={readDraft(place) || text}
          label={queueWords.editing}
          action={words.save}
          onChange={(next) => keepDraft(place, next === text ? '' : next)}
          onDone={(next) => void save(next)}
          onCancel={endEditing}
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
            {doing === 'sending' ? (isUnsent ? queueWords.sending : queueWords.sendingNow) : queueWords.waits[waits]}
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
              title={isUnsent ? queueWords.sendHint : queueWords.sendNowHint}
              disabled={doing === 'sending'}
              onClick={() => void sendNow()}
            >
              {isUnsent ? queueWords.send : queueWords.sendNow}
            </button>
          </span>
        </div>
      )}
    </div>
  )
}

/** What the message waits for, or why it was not sent. */
function waitOf({ journals, runs }: Pick<WindowState, 'journals' | 'runs'>, run_id: string): keyof typeof queueWords.waits {
  const state = journals.get(run_id)?.state ?? runs.get(run_id)?.state
  if (state !== undefined && isTerminalRunState(state)) return state === 'canceled' ? 'stopped' : 'ended'
  const reason = runs.get(run_id)?.pause_reason
  return reason === 'approval' || reason === 'question' ? 'answer' : reason === 'budget' ? 'budget' : 'turn'
}
