// Which paths of the background group a restore includes. A folder includes everything in it.
import type { BackgroundSelection } from '@tandem/contract/checkpoint'

/** Whether it is included by another selection: all of them, or a folder it is in. */
export function isIncluded(selection: BackgroundSelection, path: string): boolean {
  if (typeof selection === 'string') return selection === 'all'
  return selection.some((selected) => path.startsWith(`${selected}/`))
}

export function isSelected(selection: BackgroundSelection, path: string): boolean {
  return isIncluded(selection, path) || (typeof selection !== 'string' && selection.includes(path))
}

/** The selection after a click on one path. A folder replaces the selected paths in it. */
export function toggleSelection(selection: BackgroundSelection, path: string): BackgroundSelection {
  const chosen = typeof selection === 'string' ? [] : selection
  const next = chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen.filter((one) => !one.startsWith(`${path}/`)), path]
  return next.length === 0 ? 'none' : next
}
