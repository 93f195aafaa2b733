import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly lead?: string
  readonly aside?: ReactNode
  /** A link can open the page at this section, as at a field. */
  readonly anchor?: string
  readonly children: ReactNode
}

export function Section({ title, lead, aside, anchor, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mb-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2
          id={id}
          {...(anchor === undefined ? {} : { 'data-field': anchor, tabIndex: -1 })}
          className="font-semibold text-lg tracking-tight"
        >
          {title}
        </h2>
        {aside}
      </div>
      {lead && <p className="-mt-1.5 mb-4 max-w-2xl text-pretty text-soft">{lead}</p>}
      {children}
    </section>
  )
}

export function Panel({ className = '', children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-xl border border-line bg-surface shadow-card ${className}`}>{children}</div>
}
