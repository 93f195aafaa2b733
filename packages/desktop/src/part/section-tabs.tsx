// The parts of a page, each with its own address, in one row that scrolls where it has no room.
import { useLayoutEffect, useRef } from 'react'
import { followLink } from '../address.ts'

interface Props<Name extends string> {
  readonly label: string
  readonly names: readonly Name[]
  readonly current: Name
  nameOf(name: Name): string
  addressOf(name: Name): string
}

export function SectionTabs<Name extends string>({ label, names, current, nameOf, addressOf }: Props<Name>) {
  const marked = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark moves with the current part.
  useLayoutEffect(() => void marked.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current])
  return (
    <nav aria-label={label} className="mb-5 overflow-x-auto border-line border-b">
      <ul className="flex gap-x-3 whitespace-nowrap">
        {names.map((name) => (
          <li key={name}>
            <a
              ref={name === current ? marked : undefined}
              href={addressOf(name)}
              onClick={followLink}
              aria-current={name === current ? 'page' : undefined}
              className="block border-transparent border-b-2 px-1 py-2 text-soft hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:text-ink"
            >
              {nameOf(name)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
