// What a restore would do, a page at a time. The counts are of all paths; contents are read for the page alone.
import type { RestoreChange, RestoreCounts, RestorePreviewEntry } from '@tandem/contract/checkpoint'
import { compare, countEntries, type StageRef, toEntry } from './comparison.ts'
import { withFoldersOpen } from './disk.ts'
import type { Keeper } from './keeper.ts'
import { type Page, type Paged, paged } from './page.ts'
import { restoreDiffs } from './restore-diff.ts'

export interface PreviewPage extends Page {
  readonly diffs: 'with' | 'without'
  /** Only paths of this kind; null is all. */
  readonly change: RestoreChange | null
}

export function preview(
  keeper: Keeper,
  stages: readonly StageRef[],
  page: PreviewPage,
): Paged<RestorePreviewEntry> & { readonly counts: RestoreCounts } {
  const { decisions, closed, moved } = compare(keeper, stages, false)
  const counts = countEntries(decisions.map(toEntry))
  const wanted = page.change === null ? decisions : decisions.filter((decision) => toEntry(decision).change === page.change)
  const { items, next } = paged(wanted, page)
  if (page.diffs === 'without') return { items: items.map(toEntry), next, counts }
  const { contents, options } = keeper
  const diffs = withFoldersOpen(closed, () => restoreDiffs(items, { contents, moved, elapsed: options.elapsed }))
  return { items: items.map((decision, index) => withDiff(toEntry(decision), diffs[index])), next, counts }
}

function withDiff(entry: RestorePreviewEntry, diff: ReturnType<typeof restoreDiffs>[number]): RestorePreviewEntry {
  return diff && entry.change !== 'unrecoverable' ? { ...entry, diff } : entry
}
