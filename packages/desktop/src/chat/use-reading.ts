// Which cards the user is reading: the pointer is on one, the keyboard focus is in it, or part of its text is selected. The thread listens
// for all of its cards: scrolling renders many of them in every frame.
import { type RefObject, useEffect, useMemo } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'
import type { ThreadPart } from '../store/thread.ts'
import { openCardHolds } from './card-holds.ts'

export interface Reading {
  /** A card that is scrolled out of view is not being read. */
  keepOnly(shown: readonly ThreadPart[]): void
}

export function useReading(thread: RefObject<HTMLElement | null>): Reading {
  const { disclosures, clock } = useRuntimeClient()
  const holds = useMemo(
    () => openCardHolds((card_id, held) => disclosures.send(card_id, { type: 'hold', held, at: clock.now() })),
    [disclosures, clock],
  )
  useEffect(() => {
    const { current } = thread
    if (!current) return
    const ending = new AbortController()
    const on = (name: 'pointerover' | 'pointerout' | 'focusin' | 'focusout', set: (event: MouseEvent | FocusEvent) => void) =>
      current.addEventListener(name, set, { signal: ending.signal, passive: true })
    on('pointerover', ({ target }) => holds.set('pointer', cardAt(target)))
    on('pointerout', ({ relatedTarget }) => holds.set('pointer', cardAt(relatedTarget)))
    // A click leaves the focus on a button, so only focus that the browser shows counts.
    on('focusin', ({ target }) => holds.set('focus', isVisible(target) ? cardAt(target) : null))
    on('focusout', ({ relatedTarget }) => {
      if (cardAt(relatedTarget) !== holds.at('focus')) holds.set('focus', null)
    })
    const onSelection = () => {
      const selection = getSelection()
      const selected = selection === null || selection.isCollapsed ? null : selection.anchorNode
      holds.set('selection', selected && current.contains(selected) ? cardAt(selected) : null)
    }
    document.addEventListener('selectionchange', onSelection, { signal: ending.signal })
    return () => {
      ending.abort()
      holds.keepOnly(() => false)
    }
  }, [thread, holds])
  return useMemo(() => ({ keepOnly: (shown) => holds.keepOnly((card_id) => shown.some(({ id }) => id === card_id)) }), [holds])
}

/** The id of the card that contains this node. */
function cardAt(node: EventTarget | null): string | null {
  const element = node instanceof Element ? node : node instanceof Node ? node.parentElement : null
  return element?.closest('article.card')?.closest('[data-part]')?.getAttribute('data-part') ?? null
}

function isVisible(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(':focus-visible')
}
