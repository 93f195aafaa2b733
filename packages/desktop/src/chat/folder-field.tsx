// A conversation of another device has no folder here: to continue it, the user selects one.
import { useState } from 'react'
import { FolderPicker } from '../folder/folder-picker.tsx'
import { Button } from '../part/form/button.tsx'
import { TextField } from '../part/form/text-field.tsx'
import { folderWords } from '../strings/folders.ts'
import { words } from '../strings/window.ts'

export function FolderField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [open, setOpen] = useState(false)
  const choose = async (path: string) => {
    onChange(path)
    return null
  }
  return (
    <div className="dock-box mb-2 border-line">
      <TextField label={words.composer.folder} field="workspace" hint={words.composer.folderHint} value={value} onChange={onChange} mono />
      <p className="mt-2">
        <Button onClick={() => setOpen(true)}>{folderWords.browse}</Button>
      </p>
      {open && <FolderPicker value={value} onChoose={choose} onClose={() => setOpen(false)} />}
    </div>
  )
}
