import { useRuntimeClient } from '../client/use-client.ts'
import { Icon } from '../part/icon.tsx'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { deleteLines, hideLines, type Line, pinLines, restoreLines } from './conversation-actions.ts'

const told = navigationWords.list

interface Props {
  readonly lines: readonly Line[]
  readonly view: 'active' | 'archived' | 'deleted'
  onClear(): void
}

/** The actions for the selected conversations. */
export function SelectionBar({ lines, view, onClear }: Props) {
  const client = useRuntimeClient()
  const isPinned = lines.every((line) => line.some(({ pinned }) => pinned))
  const act = async (work: Promise<void>) => {
    await work
    onClear()
  }
  return (
    <div
      role="toolbar"
      aria-label={told.selection}
      className="mx-2 mb-1.5 flex flex-wrap items-center gap-1 rounded-md border border-line bg-canvas p-1.5 text-sm"
    >
      <span role="status" className="grow px-1 font-medium">
        {told.selected(lines.length)}
      </span>
      <button type="button" onClick={onClear} aria-label={told.clear} title={told.clear} className="icon-button">
        <Icon name="close" size={13} />
      </button>
      <div className="flex w-full flex-wrap gap-1">
        {view === 'deleted' ? (
          <button type="button" onClick={() => void act(restoreLines(client, lines))} className="quiet-field">
            {told.restore}
          </button>
        ) : (
          <>
            <button type="button" onClick={() => void act(pinLines(client, lines, !isPinned))} className="quiet-field">
              {isPinned ? told.unpin : told.pin}
            </button>
            <button type="button" onClick={() => void act(hideLines(client, lines, view === 'active'))} className="quiet-field">
              {view === 'active' ? words.conversations.hide : words.conversations.unhide}
            </button>
            <button type="button" onClick={() => deleteLines(lines)} className="quiet-field text-bad">
              {told.deleteSelected}
            </button>
          </>
        )}
      </div>
    </div>
  )
}
