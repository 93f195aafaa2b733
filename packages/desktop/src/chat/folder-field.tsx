// A conversation of another device has no folder here: to continue it, the user selects one.
import { TextField } from '../part/form/text-field.tsx'
import { words } from '../strings/window.ts'

export function FolderField({ value, onChange }: { value: string; onChange(value: string): void }) {
  return (
    <div className="dock-box mb-2 border-line">
      <TextField label={words.composer.folder} field="workspace" hint={words.composer.folderHint} value={value} onChange={onChange} mono />
    </div>
  )
}
