// After a conflict: the text that is not in the editor. Neither is lost, whichever the user continues with.
import { Button } from '../../part/form/button.tsx'
import { Panel } from '../../part/section.tsx'
import { workflowWords } from '../../strings/workflows.ts'
import { WorkflowText } from '../workflow-text.tsx'

const told = workflowWords.editor

export interface OtherText {
  readonly of: 'theirs' | 'mine'
  readonly text: string
}

export function OtherVersion({ other: { of, text }, onSwap }: { other: OtherText; onSwap(): void }) {
  const title = of === 'theirs' ? told.other : told.mine
  return (
    <Panel className="grid gap-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div>
          <h2 className="font-medium">{title}</h2>
          {of === 'theirs' && (
            <p role="status" className="text-soft text-sm">
              {told.conflictLoaded}
            </p>
          )}
        </div>
        <Button onClick={onSwap}>{told.swap[of]}</Button>
      </div>
      <WorkflowText label={title} text={text} />
    </Panel>
  )
}
