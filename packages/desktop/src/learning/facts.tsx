// Names and values, one row each.
import type { ReactNode } from 'react'

export function Facts({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint text-sm sm:leading-6">{name}</dt>
          <dd className="mb-1.5 min-w-0 break-words sm:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
