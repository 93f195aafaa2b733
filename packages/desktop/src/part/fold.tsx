// A row that opens to show more. Its content is rendered only while it is open: lists of schemas are long.
import { type ReactNode, useState } from 'react'

export function Fold({ summary, children }: { summary: ReactNode; children: () => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group border-line border-b last:border-b-0">
      <summary className="flex items-start gap-2.5 px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2">
        <Chevron />
        <div className="min-w-0 grow">{summary}</div>
      </summary>
      {open && <div className="px-4 pt-1 pb-5 sm:pl-9">{children()}</div>}
    </details>
  )
}

/** Used inside a `details` with the class `group`. */
function Chevron() {
  return (
    <svg
      viewBox="0 0 12 12"
      width="10"
      height="10"
      aria-hidden="true"
      className="icon mt-[calc(0.5lh-4px)] shrink-0 text-faint motion-safe:transition-transform group-open:rotate-90"
    >
      <path d="M4 2l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

/** More of the same, in small print, without a frame. */
export function SmallFold({ summary, children }: { summary: ReactNode; children: () => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="group text-sm">
      <summary className="flex w-fit items-start gap-1.5 text-faint hover:text-soft">
        <Chevron />
        {summary}
      </summary>
      {open && <div className="pt-1.5">{children()}</div>}
    </details>
  )
}
