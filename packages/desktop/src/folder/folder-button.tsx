// The folder of a conversation, and a button that changes it.
import { useState } from 'react'
import { Icon } from '../part/icon.tsx'
import { folderWords } from '../strings/folders.ts'
import { visibleText } from '../text/visible.ts'
import { FolderPicker } from './folder-picker.tsx'

interface Props {
  readonly value: string
  /** How the folder is shown; the path by default. */
  readonly text?: string
  readonly lead?: string
  readonly note?: string
  readonly className?: string
  onChoose(path: string): Promise<string | null>
}

export function FolderButton({ value, text = value, lead, note, className = '', onChoose }: Props) {
  const [open, setOpen] = useState(false)
  const shown = text === '' ? folderWords.choose : visibleText(text)
  const nameStart = text === '' ? 0 : Math.max(shown.lastIndexOf('/'), shown.lastIndexOf('\\')) + 1
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        title={value === '' ? undefined : visibleText(value)}
        aria-haspopup="dialog"
        className={`inline-flex min-w-0 max-w-full items-center gap-1.5 rounded-md border border-transparent px-1.5 py-0.5 text-faint text-sm hover:border-line-strong hover:text-ink ${className}`}
      >
        <Icon name="folder" size={14} className="shrink-0" />
        {text !== '' && <span className="sr-only">{folderWords.change} </span>}
        <bdi translate={text === '' ? undefined : 'no'} className="truncate">
          {/* In a narrow header, the name of the folder says more than the beginning of its path. */}
          <span className="@max-xl:hidden">{shown.slice(0, nameStart)}</span>
          {shown.slice(nameStart)}
        </bdi>
        {note !== undefined && <span className="shrink-0 text-warn">{note}</span>}
      </button>
      {open && <FolderPicker value={value} {...(lead === undefined ? {} : { lead })} onChoose={onChoose} onClose={() => setOpen(false)} />}
    </>
  )
}
