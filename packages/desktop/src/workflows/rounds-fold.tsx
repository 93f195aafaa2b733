import { type ReactNode, useState } from 'react'
import { Icon } from '../part/icon.tsx'

/** Opens what is below it. Can be nested, and renders its content only while it is open: a loop may have thousands of rounds. */
export function RoundsFold({ summary, children }: { summary: ReactNode; children: () => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex items-center gap-1.5 rounded text-sm text-soft hover:text-ink"
      >
        <Icon name={isOpen ? 'open' : 'chevron'} size={12} />
        {summary}
      </button>
      {isOpen && <div className="pt-1.5">{children()}</div>}
    </>
  )
}
