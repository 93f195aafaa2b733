// Whether the user is reading a card: the pointer is on it, the keyboard focus is in it, or part of its text is selected.
import { type FocusEvent, type RefObject, useEffect, useMemo } from 'react'

type Way = 'pointer' | 'focus' | 'selection'

/** A click leaves the focus on a button, so only focus that the browser shows (`:focus-visible`) counts. */
export function useIsReading(card: RefObject<HTMLElement | null>, onChange: (held: boolean) => void) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback stays the same for the lifetime of the card.
  const { set, on } = useMemo(() => openHold(onChange), [])
  useEffect(() => {
    const look = (selected: Node | null) => set('selection', selected !== null && card.current?.contains(selected) === true)
    watchers.add(look)
    if (watchers.size === 1) document.addEventListener('selectionchange', tellSelection)
    return () => {
      watchers.delete(look)
      if (watchers.size === 0) document.removeEventListener('selectionchange', tellSelection)
      // A card that is scrolled out of view is not being read.
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

/** One listener for all cards: scrolling mounts and unmounts many. */
const watchers = new Set<(selected: Node | null) => void>()

function tellSelection(): void {
  const selection = getSelection()
  const selected = selection === null || selection.isCollapsed ? null : selection.anchorNode
  for (const look of watchers) look(selected)
}
