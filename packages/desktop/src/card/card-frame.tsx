// The frame of every card: a summary line, a pin, and the content below it. Only the contract's reducer decides whether it is open.
import { type Card, type Disclosure, isExpanded, nextTick } from '@tandem/contract/card'
import { limits } from '@tandem/contract/limits'
import type { RunState } from '@tandem/contract/run'
import type { CSSProperties, ReactNode } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import { Badge, type Tone } from '../part/badge.tsx'
import { words } from '../strings/window.ts'

interface Props {
  readonly card: Card
  /** For a call that has a result. */
  readonly outcome?: string | undefined
  readonly state: RunState
  readonly disclosure: Disclosure
  readonly title: ReactNode
  readonly line: ReactNode
  /** The line of an open card; empty when absent. */
  readonly whileOpen?: () => ReactNode
  /** Buttons in the line. */
  readonly actions?: ReactNode
  readonly badge?: { readonly tone: Tone; readonly text: string }
  /** Rendered only while the card is open. */
  readonly children: () => ReactNode
}

export function CardFrame({ card, outcome, state, disclosure, title, line, whileOpen, actions, badge: own, children }: Props) {
  const { disclosures, clock } = useRuntimeClient()
  const { card_id, kind, set_aside } = card
  const id = `title:${card_id}`
  const badge: Props['badge'] = set_aside ? { tone: 'plain', text: words.thread.setAside } : own
  const open = isExpanded(disclosure)
  const pinned = disclosure.mode === 'pinned'
  const due = nextTick(disclosure)
  const pin = () => disclosures.send(card_id, pinned ? { type: 'unpin', state, at: clock.now() } : { type: 'pin' })
  return (
    <article
      aria-labelledby={id}
      data-card={kind}
      data-mode={disclosure.mode}
      data-outcome={outcome}
      className={set_aside ? 'card set-aside' : 'card'}
    >
      <button type="button" aria-expanded={open} onClick={() => disclosures.send(card_id, { type: 'toggle' })} className="card-line">
        <span id={id} className="shrink-0 font-medium">
          {title}
        </span>
        <span className="card-text">{open ? whileOpen?.() : line}</span>
      </button>
      <button
        type="button"
        aria-pressed={pinned}
        aria-label={pinned ? words.cards.unpin : words.cards.pin}
        title={pinned ? words.cards.unpin : words.cards.pin}
        onClick={pin}
        className="icon-button card-pin"
      />
      {actions ? (
        <span className="card-end flex items-center gap-2">
          {actions}
          {badge && <Badge tone={badge.tone}>{badge.text}</Badge>}
        </span>
      ) : (
        badge && (
          <Badge tone={badge.tone} className="card-end">
            {badge.text}
          </Badge>
        )
      )}
      {due !== null && <div key={due} className="countdown card-wide -mb-0.5 h-0.5 bg-line-strong" style={countdown} aria-hidden="true" />}
      {open && <div className="card-wide border-line border-t px-3 py-2.5">{children()}</div>}
    </article>
  )
}

const countdown = { '--countdown': `${limits.card_collapse_ms}ms` } as CSSProperties
