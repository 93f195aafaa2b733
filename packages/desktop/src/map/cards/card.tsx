import { type Disclosure, type DisclosureEvent, isExpanded, nextTick } from '@tandem/contract/card'
import { limits } from '@tandem/contract/limits'
import type { RunState } from '@tandem/contract/run'
import { type CSSProperties, useId, useRef } from 'react'
import { Badge, type Tone } from '../../part/badge.tsx'
import { Button } from '../../part/button.tsx'
import { Panel } from '../../part/section.tsx'
import { useHold } from '../../part/use-hold.ts'
import { strings } from '../../strings/map.ts'

interface Props {
  readonly kind: string
  readonly state: RunState
  readonly disclosure: Disclosure
  send(event: DisclosureEvent): void
}

const tones: Record<RunState, Tone> = { running: 'cloud', paused: 'warn', completed: 'good', failed: 'bad', canceled: 'plain' }

export function Card({ kind, state, disclosure, send }: Props) {
  const id = useId()
  const open = isExpanded(disclosure)
  const pinned = disclosure.mode === 'pinned'
  const due = nextTick(disclosure)
  const article = useRef<HTMLElement>(null)
  const holding = useHold(article, (held) => send({ type: 'hold', held, at: Date.now() }))
  return (
    <Panel className="overflow-hidden">
      <article ref={article} aria-labelledby={id} {...holding}>
        <div className="flex items-center gap-2 px-4 py-3">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => send({ type: 'toggle' })}
            className="flex min-w-0 grow items-center gap-2.5 rounded text-left"
          >
            <svg
              viewBox="0 0 12 12"
              width="10"
              height="10"
              aria-hidden="true"
              className={`shrink-0 text-faint motion-safe:transition-transform ${open ? 'rotate-90' : ''}`}
            >
              <path d="M4 2l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
            </svg>
            <span id={id} className="font-medium">
              {kind}
            </span>
            <Badge tone={tones[state]}>{state}</Badge>
          </button>
          <Button aria-pressed={pinned} onClick={() => send(pinned ? { type: 'unpin', state, at: Date.now() } : { type: 'pin' })}>
            {pinned ? strings.cards.unpin : strings.cards.pin}
          </Button>
        </div>
        <div className="h-0.5">
          {due !== null && <div key={due} className="countdown h-full bg-cloud" style={countdown} aria-hidden="true" />}
        </div>
        <div
          className={`grid motion-safe:transition-[grid-template-rows] duration-200 ${open ? 'grid-rows-[1fr]' : 'grid-rows-[0fr]'}`}
          inert={!open}
        >
          <div className="overflow-hidden">
            <div className="border-line border-t px-4 py-4 text-soft">
              <p className="mb-3">{strings.cards.body}</p>
              <Button>{strings.cards.focus_me}</Button>
            </div>
          </div>
        </div>
      </article>
    </Panel>
  )
}

const countdown = { '--countdown': `${limits.card_collapse_ms}ms` } as CSSProperties
