// A conversation of another device or of another assistant has no folder here: to continue it, the user selects one.
import { useEffect, useState } from 'react'
import { FolderPicker } from '../folder/folder-picker.tsx'
import { useRecentFolders } from '../folder/use-folders.ts'
import { Button } from '../part/form/button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { folderWords } from '../strings/folders.ts'
import { words } from '../strings/window.ts'

interface Props {
  readonly value: string
  /** It comes from another assistant, and belongs to no folder anywhere. */
  readonly isImported: boolean
  onChange(value: string): void
}

export function FolderField({ value, isImported, onChange }: Props) {
  const [open, setOpen] = useState(false)
  const recent = useRecentFolders()
  const suggested = isImported && recent?.default.state === 'available' ? recent.default.path : null
  // biome-ignore lint/correctness/useExhaustiveDependencies: suggested once, when it is known; what is typed stays.
  useEffect(() => {
    if (suggested !== null && value === '') onChange(suggested)
  }, [suggested])
  const choose = async (path: string) => {
    onChange(path)
    return null
  }
  const label = isImported ? words.composer.folderOfImport : words.composer.folder
  return (
    <div className="dock-box mb-2 border-line">
      <TextField label={label} field="workspace" hint={words.composer.folderHint} value={value} onChange={onChange} mono />
      <p className="mt-2">
        <Button onClick={() => setOpen(true)}>{folderWords.browse}</Button>
      </p>
      {open && <FolderPicker value={value} onChoose={choose} onClose={() => setOpen(false)} />}
    </div>
  )
}
