// What changed while background commands ran: restored as a whole, by path, or not at all.
import { type BackgroundSelection, restoreChanges } from '@tandem/contract/checkpoint'
import { useId } from 'react'
import { Button } from '../part/form/button.tsx'
import { LoadError } from '../part/load-error.tsx'
import { PreviewEntry, relativeName } from '../part/restore/preview-entry.tsx'
import { usePreview } from '../part/restore/use-preview.ts'
import { Panel } from '../part/section.tsx'
import { recoveryWords } from '../strings/recovery.ts'
import { isIncluded, isSelected, toggleSelection } from './background-selection.ts'

interface Props {
  readonly run_id: string
  readonly checkpoint_id: string
  readonly workspace: string | null
  readonly root: string
  readonly selection: BackgroundSelection
  onSelect(selection: BackgroundSelection): void
}

export function BackgroundGroup({ run_id, checkpoint_id, workspace, root, selection, onSelect }: Props) {
  const { asked, page, again, more } = usePreview({ run_id, checkpoint_id, change: null, workspace, group: 'background' })
  const title = useId()
  if (asked.state === 'failed') return <LoadError error={asked.error} again={again} />
  if (!page) return null
  const number = restoreChanges.reduce((sum, change) => sum + page.background.counts[change], 0)
  if (number === 0) return null
  const { background: words } = recoveryWords
  return (
    <section aria-labelledby={title} className="mt-6">
      <h2 id={title} className="font-semibold">
        {words.title}
      </h2>
      <p className="mb-2 text-soft text-sm">{words.lead}</p>
      {page.background.running > 0 && <p className="mb-2 text-sm text-warn">{words.running}</p>}
      <label className="mb-2 flex items-baseline gap-2.5">
        <input
          type="checkbox"
          checked={selection === 'all'}
          ref={(box) => {
            if (box) box.indeterminate = typeof selection !== 'string'
          }}
          onChange={() => onSelect(selection === 'all' ? 'none' : 'all')}
          className="accent-(--cloud)"
        />
        {words.all(number)}
      </label>
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {page.entries.map((entry) => (
            <PreviewEntry key={entry.path} entry={entry} root={root} isOpen={false}>
              <input
                type="checkbox"
                aria-label={words.one(relativeName(root, entry))}
                checked={isSelected(selection, entry.path)}
                disabled={isIncluded(selection, entry.path)}
                onChange={() => onSelect(toggleSelection(selection, entry.path))}
                className="mr-1.5 ml-4 size-4 shrink-0 accent-(--cloud)"
              />
            </PreviewEntry>
          ))}
        </ul>
      </Panel>
      {page.next !== null && (
        <p className="mt-3">
          <Button onClick={more}>{recoveryWords.more}</Button>
        </p>
      )}
    </section>
  )
}
