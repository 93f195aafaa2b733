// Asks before conversations are deleted: how many, what is erased, what stays. Nothing is deleted without this.
import type { DeletionPreview } from '@tandem/contract/command'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { followLink, goTo, pageOf } from '../address.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { useRequest } from '../client/use-request.ts'
import { Button } from '../part/form/button.tsx'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { visibleName } from '../text/name.ts'
import { visibleSentence } from '../text/sentence.ts'
import { visibleText } from '../text/visible.ts'
import { askToDelete, type DeletionRequest, showDeleted, useDeletionRequest } from './deletion.ts'
import { deleteConversations, previewDeletion } from './deletion-calls.ts'

const told = navigationWords.deleting

export function DeleteDialog() {
  const request = useDeletionRequest()
  return request && <Asked key={request.conversation_ids.join(' ')} request={request} />
}

function Asked({ request: { conversation_ids, title } }: { request: DeletionRequest }) {
  const client = useRuntimeClient()
  const dialog = useRef<HTMLDialogElement>(null)
  const preview = useRequest(conversation_ids.join(' '), () => previewDeletion(client.channel, conversation_ids)).state
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const seen = preview.state === 'ready' ? preview.value : null
  const chosen = conversation_ids.length
  const open = seen?.open_run_ids.length ?? 0
  const remove = async () => {
    setIsBusy(true)
    const gone = await deleteConversations(client, conversation_ids, open > 0)
    setIsBusy(false)
    if (gone.chosen.length === 0) return dialog.current?.close()
    askToDelete(null)
    if (gone.all.some((id) => pageOf(location.pathname) === `/c/${id}`)) goTo('/')
    showDeleted({ conversation_ids: gone.chosen })
    await client.refreshLists()
  }
  return (
    <dialog ref={dialog} onClose={() => askToDelete(null)} aria-labelledby="delete-title" className="palette max-h-[85vh] overflow-y-auto">
      <div className="grid gap-3 p-5">
        <h2 id="delete-title" className="break-words font-semibold text-lg tracking-tight">
          {told.title(chosen, visibleText(title))}
        </h2>
        {preview.state === 'loading' && <p className="text-faint">{told.looking}</p>}
        {preview.state === 'failed' && <p className="text-bad">{visibleSentence(preview.error.message)}</p>}
        {seen && (
          <div className="grid gap-2 text-soft">
            {seen.conversation_ids.length > chosen && <p className="text-ink">{told.family(chosen, seen.conversation_ids.length)}</p>}
            {open > 0 && <p className="text-warn">{told.running(open)}</p>}
            <p>{hides(seen)}</p>
            {seen.signed_out && <p className="text-warn">{told.signedOut(seen.conversation_ids.length)}</p>}
            <p>{told.erases(seen.recovery_points)}</p>
            <p>{told.cloud}</p>
            {seen.unmerged_copies.length > 0 && <UnmergedCopies copies={seen.unmerged_copies} />}
            {seen.memories > 0 && <p>{told.memories(seen.memories)}</p>}
          </div>
        )}
        <div className="mt-2 flex flex-wrap gap-2">
          <Button onClick={() => dialog.current?.close()}>{words.cancel}</Button>
          <Button className="border-bad text-bad" disabled={isBusy || seen === null} onClick={() => void remove()}>
            {open > 0 ? told.confirmStop : told.confirm}
          </Button>
        </div>
      </div>
    </dialog>
  )
}

function hides({ conversation_ids, signed_out }: DeletionPreview): string {
  const isOne = conversation_ids.length === 1
  if (signed_out) return isOne ? told.hidesHere : told.hidesManyHere
  return isOne ? told.hides : told.hidesMany
}

const shownCopies = 5

/** Work of members that no one has merged: it is not erased with the conversation. */
function UnmergedCopies({ copies }: { copies: DeletionPreview['unmerged_copies'] }) {
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    askToDelete(null)
    followLink(event)
  }
  return (
    <div className="text-warn">
      <p>{told.copies(copies.length)}</p>
      <ul className="list-disc pl-5">
        {copies.slice(0, shownCopies).map(({ run_id, title, changed_paths }) => (
          <li key={run_id} className="break-words">
            {told.copy(visibleName(title), changed_paths)}
          </li>
        ))}
        {copies.length > shownCopies && <li>{told.moreCopies(copies.length - shownCopies)}</li>}
      </ul>
      <a href="/teams" onClick={open} className="text-cloud underline underline-offset-4">
        {told.openCopies}
      </a>
    </div>
  )
}
