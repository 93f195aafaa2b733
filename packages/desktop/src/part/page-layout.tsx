import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

/** A page with a title and a description. */
export function PageLayout({ title, lead, aside, children }: { title: string; lead: string; aside?: ReactNode; children: ReactNode }) {
  useTitle(title)
  return (
    <div className="mx-auto w-full max-w-5xl px-4 pt-8 pb-16 sm:px-8">
      <div className="mb-6 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 tabIndex={-1} className="font-semibold text-2xl tracking-tight">
            {title}
          </h1>
          {lead !== '' && <p className="mt-1 max-w-2xl text-pretty text-soft">{lead}</p>}
        </div>
        {aside}
      </div>
      {children}
    </div>
  )
}

export function EmptyState({ children }: { children: ReactNode }) {
  return <p className="rounded-xl border border-line border-dashed p-8 text-center text-faint">{children}</p>
}
