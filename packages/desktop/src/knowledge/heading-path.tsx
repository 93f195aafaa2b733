import { visibleName } from '../text/name.ts'

/** The headings that a passage is below, outermost first. */
export function HeadingPath({ headings }: { headings: readonly string[] }) {
  if (headings.length === 0) return null
  return <p className="break-words text-faint text-sm">{headings.map(visibleName).join(' › ')}</p>
}
