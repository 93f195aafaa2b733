import { type ReactNode, useId } from 'react'

export function Section({ title, lead, aside, children }: { title: string; lead?: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mb-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="font-semibold text-lg tracking-tight">
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
