// After conversations were deleted: the way back, for half a minute. Later they can be restored from the list of deleted conversations.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Icon } from '../part/icon.tsx'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { restore } from './conversation-actions.ts'
import { type DeletionNotice, showDeleted, useDeletionNotice } from './deletion.ts'

const shown_ms = 30_000

export function DeletedNotice() {
  const notice = useDeletionNotice()
  return (
    <div role="status" className="fixed bottom-4 left-4 z-30 w-[min(24rem,calc(100vw-2rem))]">
      {notice && <Shown key={notice.conversation_ids.join(' ')} notice={notice} />}
    </div>
  )
}

function Shown({ notice: { conversation_ids } }: { notice: DeletionNotice }) {
  const client = useRuntimeClient()
  const box = useRef<HTMLDivElement>(null)
  const undoing = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The dialog and the line that had the focus are gone.
    undoing.current?.focus()
    let cancel = client.clock.after(shown_ms, close)
    function close(): void {
      // Not from under the pointer or the focus of a user who is about to press it.
      if (box.current?.matches(':hover, :focus-within')) cancel = client.clock.after(1_000, close)
      else showDeleted(null)
    }
    return () => cancel()
  }, [client])
  useLayoutEffect(() => {
    const shown = box.current
    return () => {
      // Before it is removed: otherwise the focus would be at the beginning of the page.
      if (shown?.contains(document.activeElement)) leaveFocus()
    }
  }, [])
  const undo = async () => {
    if (await restore(client, conversation_ids)) showDeleted(null)
  }
  return (
    <div ref={box} className="flex items-center gap-3 rounded-lg border border-line bg-surface p-3 shadow-card">
      <span className="min-w-0 grow">{navigationWords.deleting.done(conversation_ids.length)}</span>
      <Button ref={undoing} onClick={() => void undo()}>
        {navigationWords.deleting.undo}
      </Button>
      <button type="button" onClick={() => showDeleted(null)} aria-label={words.dismiss} className="icon-button">
        <Icon name="close" size={13} />
      </button>
    </div>
  )
}

/** To the list from which they were deleted; to the page, if it is empty or not visible. */
function leaveFocus(): void {
  const line = [...document.querySelectorAll<HTMLElement>('[data-line]')].find((one) => one.checkVisibility({ visibilityProperty: true }))
  const place = line ?? document.getElementById('content')
  place?.focus()
}
