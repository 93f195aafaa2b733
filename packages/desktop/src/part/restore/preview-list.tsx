// The paths that a restore would change: counts that filter the list, and the list.
import { type RestoreChange, type RestoreCounts, restoreChanges } from '@tandem/contract/checkpoint'
import { useState } from 'react'
import { locale } from '../../strings/locale.ts'
import { recoveryWords } from '../../strings/recovery.ts'
import { Button } from '../form/button.tsx'
import { LoadError, LoadingPlaceholder } from '../load-error.tsx'
import { EmptyState } from '../page-layout.tsx'
import { Panel } from '../section.tsx'
import { PreviewEntry } from './preview-entry.tsx'
import type { usePreview } from './use-preview.ts'

/** With so few paths their diffs are opened automatically. */
const openedAtOnce = 3

interface Props {
  readonly preview: ReturnType<typeof usePreview>
  readonly root: string
  readonly change: RestoreChange | null
  onChange(change: RestoreChange | null): void
}

export function PreviewList({ preview: { asked, page, again, more, moreFailed }, root, change, onChange }: Props) {
  const [isAsking, setAsking] = useState(false)
  if (asked.state === 'failed') return <LoadError error={asked.error} again={again} />
  if (!page) return <LoadingPlaceholder>{recoveryWords.looking}</LoadingPlaceholder>
  const all = sumOf(page.counts)
  if (all === 0)
    return <EmptyState>{sumOf(page.background.counts) === 0 ? recoveryWords.nothing : recoveryWords.background.nothingElse}</EmptyState>
  const showMore = async () => {
    setAsking(true)
    await more()
    setAsking(false)
  }
  return (
    <>
      <Sums counts={page.counts} change={change} onChange={onChange} />
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {page.entries.map((entry) => (
            <PreviewEntry key={entry.path} entry={entry} root={root} isOpen={all <= openedAtOnce} />
          ))}
        </ul>
      </Panel>
      {moreFailed && <LoadError error={moreFailed} again={showMore} />}
      {page.next !== null && (
        <p className="mt-3 flex items-center gap-3">
          <Button onClick={showMore} disabled={isAsking}>
            {recoveryWords.more}
          </Button>
          <span className="text-faint text-sm">
            {page.entries.length.toLocaleString(locale)} / {(change === null ? all : page.counts[change]).toLocaleString(locale)}
          </span>
        </p>
      )}
    </>
  )
}

function Sums({ counts, change, onChange }: { counts: RestoreCounts; change: RestoreChange | null; onChange: Props['onChange'] }) {
  const kinds = restoreChanges.filter((one) => counts[one] > 0)
  return (
    <fieldset className="mb-3">
      <legend className="mb-1.5 text-faint text-sm">{recoveryWords.filter}</legend>
      <div className="flex flex-wrap gap-1.5">
        <Button aria-pressed={change === null} onClick={() => onChange(null)}>
          {recoveryWords.all} <span className="tabular-nums">{sumOf(counts).toLocaleString(locale)}</span>
        </Button>
        {kinds.map((one) => (
          <Button key={one} aria-pressed={change === one} title={recoveryWords.meanings[one]} onClick={() => onChange(one)}>
            {recoveryWords.changes[one]} <span className="tabular-nums">{counts[one].toLocaleString(locale)}</span>
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

function sumOf(counts: RestoreCounts): number {
  return restoreChanges.reduce((sum, change) => sum + counts[change], 0)
}
