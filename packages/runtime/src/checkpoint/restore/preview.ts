// What a restore would do, one page at a time. The counts cover all paths; contents are only read for the page.
import type { BackgroundSelection, RestoreChange, RestoreCounts, RestoreGroup, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import type { CheckpointWriter } from '../checkpoint-writer.ts'
import { withFoldersOpen } from '../scan/disk.ts'
import { type Comparison, compare, countEntries, toEntry } from './comparison.ts'
import type { History } from './history.ts'
import { type Page, type PageOfItems, pageItems } from './page.ts'
import { restoreDiffs } from './restore-diff.ts'

export interface PreviewPage extends Page {
  readonly diffs: 'with' | 'without'
  /** Only paths with this kind of change; null for all. */
  readonly change: RestoreChange | null
  /** Which changes of background commands would be restored as well. */
  readonly background: BackgroundSelection
  /** `calls`: what would be restored. `background`: everything that changed while background commands ran, selected or not. */
  readonly group: RestoreGroup
}

export interface PreviewedPage extends PageOfItems<RestorePreviewEntry> {
  /** Of what would be restored. */
  readonly counts: RestoreCounts
  /** Of everything that changed while background commands ran. */
  readonly background: RestoreCounts
}

export function preview(keeper: CheckpointWriter, history: History, page: PreviewPage): PreviewedPage {
  const restored = compare(keeper, history, { insist: false, background: page.background })
  const isGroup = ({ background }: Comparison['decisions'][number]) => background === true
  // What happens to a folder depends on what else is restored: the group shows what a restore of all of it would do.
  const whole = restored.unselected.length > 0 ? compare(keeper, history, { insist: false, background: 'all' }) : restored
  const group = whole.decisions.filter(isGroup)
  const counts = countEntries(restored.decisions.map(toEntry))
  const background = countEntries(group.map(toEntry))
  const { closed, moved } = page.group === 'background' ? whole : restored
  const listed = page.group === 'background' ? group : restored.decisions
  const wanted = page.change === null ? listed : listed.filter((decision) => toEntry(decision).change === page.change)
  const { items, next } = pageItems(wanted, page)
  if (page.diffs === 'without') return { items: items.map(toEntry), next, counts, background }
  const { contents, options } = keeper
  const diffs = withFoldersOpen(closed, () => restoreDiffs(items, { contents, moved, elapsed: options.elapsed }))
  return { items: items.map((decision, index) => withDiff(toEntry(decision), diffs[index])), next, counts, background }
}

function withDiff(entry: RestorePreviewEntry, diff: ReturnType<typeof restoreDiffs>[number]): RestorePreviewEntry {
  return diff && entry.change !== 'unrecoverable' ? { ...entry, diff } : entry
}
