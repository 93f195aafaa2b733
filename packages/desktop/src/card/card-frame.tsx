// The frame every card has: a line that says what it is, a pin, and what opens below. The contract's reducer alone decides what is open.
import { type Card, isExpanded, nextTick } from '@tandem/contract/card'
import { limits } from '@tandem/contract/limits'
import type { RunState } from '@tandem/contract/run'
import { type CSSProperties, type ReactNode, useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { useDesk } from '../desk/use-desk.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { Icon } from '../part/icon.tsx'
import { useHold } from '../part/use-hold.ts'
import { words } from '../strings/window.ts'

interface Props {
  readonly card: Card
  readonly state: RunState
  readonly title: ReactNode
  readonly line: ReactNode
  readonly badge?: { readonly tone: Tone; readonly text: string }
  /** Made only when the card is open. */
  readonly children: () => ReactNode
}

export function CardFrame({ card, state, title, line, badge, children }: Props) {
  const { disclosures, clock } = useDesk()
  const { card_id, run_id, kind, set_aside } = card
  const disclosure = useSyncExternalStore(disclosures.subscribe, () => disclosures.get(card_id, state))
  useEffect(() => disclosures.meet(card_id, run_id, state), [disclosures, card_id, run_id, state])
  const article = useRef<HTMLElement>(null)
  const holding = useHold(article, (held) => disclosures.send(card_id, { type: 'hold', held, at: clock.now() }))
  const id = useId()
  const open = isExpanded(disclosure)
  const pinned = disclosure.mode === 'pinned'
  const due = nextTick(disclosure)
  const pin = () => disclosures.send(card_id, pinned ? { type: 'unpin', state, at: clock.now() } : { type: 'pin' })
  return (
    <article
      ref={article}
      aria-labelledby={id}
      data-card={kind}
      data-mode={disclosure.mode}
      className={`group/card overflow-hidden rounded-lg border border-line bg-surface ${set_aside ? 'opacity-60' : ''}`}
      {...holding}
    >
      <div className="flex items-center gap-1 pr-3">
        <button
          type="button"
          aria-expanded={open}
          onClick={() => disclosures.send(card_id, { type: 'toggle' })}
          className="flex min-h-9 min-w-0 grow items-center gap-2 rounded-lg px-3 py-1.5 text-left focus-visible:-outline-offset-2"
        >
          <Icon name="chevron" size={11} className={`text-faint motion-safe:transition-transform ${open ? 'rotate-90' : ''}`} />
          <Icon name={kind} size={15} className="text-soft" />
          <span id={id} className="shrink-0 font-medium text-sm">
            {title}
          </span>
          <span className="min-w-0 grow truncate text-faint text-sm">{open ? '' : line}</span>
          {set_aside && <Badge>{words.thread.setAside}</Badge>}
        </button>
        <button
          type="button"
          aria-pressed={pinned}
          aria-label={pinned ? words.cards.unpin : words.cards.pin}
          title={pinned ? words.cards.unpin : words.cards.pin}
          onClick={pin}
          className="icon-button opacity-0 focus-visible:opacity-100 group-focus-within/card:opacity-100 group-hover/card:opacity-100 aria-pressed:bg-cloud-soft aria-pressed:text-cloud aria-pressed:opacity-100 pointer-coarse:opacity-100"
        >
          <Icon name="pin" size={14} />
        </button>
        {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
      </div>
      {due !== null && <div key={due} className="countdown -mb-0.5 h-0.5 bg-line-strong" style={countdown} aria-hidden="true" />}
      {open && <div className="border-line border-t px-3 py-2.5">{children()}</div>}
    </article>
  )
}

const countdown = { '--countdown': `${limits.card_collapse_ms}ms` } as CSSProperties
