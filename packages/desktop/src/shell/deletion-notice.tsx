// After conversations were deleted: the way back, for half a minute. Later they can be restored from the list of deleted conversations.
import { useEffect, useRef } from 'react'
import { refreshAllWindows } from '../client/other-windows.ts'
import { useRuntimeClient } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { Icon } from '../part/icon.tsx'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
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

function Shown({ notice: { conversation_ids, lines } }: { notice: DeletionNotice }) {
  const client = useRuntimeClient()
  const undoing = useRef<HTMLButtonElement>(null)
  const isHeld = useRef(false)
  useEffect(() => {
    // The dialog and the line that had the focus are gone.
    undoing.current?.focus()
    let cancel = client.clock.after(shown_ms, close)
    function close(): void {
      // Not from under the pointer or the focus of a user who is about to press it.
      if (isHeld.current) cancel = client.clock.after(1_000, close)
      else showDeleted(null)
    }
    return () => cancel()
  }, [client])
  const undo = async () => {
    const answer = await client.call(navigationWords.list.doing.restore, 'conversation_restore', {
      conversation_ids: [...conversation_ids],
    })
    if (answer.ok) showDeleted(null)
    await refreshAllWindows(client)
  }
  return (
    <div
      onPointerEnter={() => {
        isHeld.current = true
      }}
      onPointerLeave={() => {
        isHeld.current = false
      }}
      className="flex items-center gap-3 rounded-lg border border-line bg-surface p-3 shadow-card"
    >
      <span className="min-w-0 grow">{navigationWords.deleting.done(lines)}</span>
      <Button ref={undoing} onClick={() => void undo()}>
        {navigationWords.deleting.undo}
      </Button>
      <button type="button" onClick={() => showDeleted(null)} aria-label={words.dismiss} className="icon-button">
        <Icon name="close" size={13} />
      </button>
    </div>
  )
}
