import { useId } from 'react'
import { workflowWords } from '../strings/workflows.ts'

const told = workflowWords.editor

/** Whether an approval includes the calls of the nodes, and what that means. */
export function CoversCalls({ value, onChange }: { value: boolean; onChange(value: boolean): void }) {
  const id = useId()
  return (
    <div className="flex items-start gap-2.5 text-sm">
      <input
        id={id}
        type="checkbox"
        checked={value}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={`${id}-meaning`}
        className="mt-1 accent-(--cloud)"
      />
      <div>
        <label htmlFor={id}>{told.covers}</label>
        <p id={`${id}-meaning`} className="max-w-2xl text-pretty text-faint">
          {told.coversMeaning}
        </p>
      </div>
    </div>
  )
}
