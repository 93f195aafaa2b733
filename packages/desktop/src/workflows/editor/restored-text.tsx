// That the editor shows text from an earlier visit.
import { Button } from '../../part/form/button.tsx'
import { workflowWords } from '../../strings/workflows.ts'

const told = workflowWords.editor

export function RestoredText({ onDiscard }: { onDiscard(): void }) {
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-cloud-soft px-4 py-2.5 text-sm">
      <p>{told.restored}</p>
      <Button onClick={onDiscard}>{told.discard}</Button>
    </div>
  )
}
