// Which files of a folder are read, and when.
import { TextField } from '../part/form/text-field.tsx'
import { knowledgeWords } from '../strings/knowledge.ts'

export interface FolderChoice {
  /** One pattern per line. */
  readonly include: string
  readonly exclude: string
  readonly watch: boolean
}

const told = knowledgeWords.form

export function FolderOptions({ value, onChange }: { value: FolderChoice; onChange(value: FolderChoice): void }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        label={told.include}
        field="include"
        hint={told.includeHint}
        rows={2}
        value={value.include}
        onChange={(include) => onChange({ ...value, include })}
        mono
      />
      <TextField
        label={told.exclude}
        field="exclude"
        hint={told.excludeHint}
        rows={2}
        value={value.exclude}
        onChange={(exclude) => onChange({ ...value, exclude })}
        mono
      />
      <label className="flex items-center gap-2 text-sm sm:col-span-2">
        <input type="checkbox" checked={value.watch} onChange={(event) => onChange({ ...value, watch: event.target.checked })} />
        {told.watch}
      </label>
    </div>
  )
}
