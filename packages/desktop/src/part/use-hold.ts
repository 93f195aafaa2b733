// Whether a reader is at a card: the pointer rests on it, the keyboard is in it, or some of its text is selected.
import { type FocusEvent, type RefObject, useEffect, useMemo } from 'react'

type Way = 'pointer' | 'focus' | 'selection'

/** A click leaves focus on a button without anyone reading there, so only focus that the browser would show counts. */
export function useHold(card: RefObject<HTMLElement | null>, onChange: (held: boolean) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: who is told is the same for as long as the card is.
  const { set, on } = useMemo(() => openHold(onChange), [])
  useEffect(() => {
    const look = (selected: Node | null) => set('selection', selected !== null && card.current?.contains(selected) === true)
    watchers.add(look)
    if (watchers.size === 1) document.addEventListener('selectionchange', tellSelection)
    return () => {
      watchers.delete(look)
      if (watchers.size === 0) document.removeEventListener('selectionchange', tellSelection)
      // A card that is scrolled away is read by nobody.
      for (const way of ['pointer', 'focus', 'selection'] as const) set(way, false)
    }
  }, [card, set])
  return on
}

function openHold(onChange: (held: boolean) => void) {
  const at = { pointer: false, focus: false, selection: false }
  const isHeld = () => at.pointer || at.focus || at.selection
  const set = (way: Way, value: boolean) => {
    const before = isHeld()
    at[way] = value
    if (before !== isHeld()) onChange(isHeld())
  }
  const on = {
    onPointerEnter: () => set('pointer', true),
    onPointerLeave: () => set('pointer', false),
    onFocus: (event: FocusEvent) => set('focus', event.target.matches(':focus-visible')),
    onBlur: (event: FocusEvent) => set('focus', event.currentTarget.contains(event.relatedTarget)),
  }
  return { set, on }
}

/** One listener for all cards: many come and go while one scrolls. */
const watchers = new Set<(selected: Node | null) => void>()

function tellSelection(): void {
  const selection = getSelection()
  const selected = selection === null || selection.isCollapsed ? null : selection.anchorNode
  for (const look of watchers) look(selected)
}
