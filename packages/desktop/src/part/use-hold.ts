// Whether a reader is at a card: the pointer rests on it, the keyboard is in it, or some of its text is selected.
import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/** A click leaves focus on a button without anyone reading there, so only focus that the browser would show counts. */
export function useHold(card: RefObject<HTMLElement | null>, onChange: (held: boolean) => void) {
  const at = useRef({ pointer: false, focus: false, selection: false })
  const told = useRef(onChange)
  told.current = onChange
  const set = useRef((part: 'pointer' | 'focus' | 'selection', value: boolean) => {
    const { current } = at
    const before = current.pointer || current.focus || current.selection
    current[part] = value
    const after = current.pointer || current.focus || current.selection
    if (before !== after) told.current(after)
  }).current
  useEffect(() => {
    const look = () => {
      const selection = getSelection()
      const inside = selection !== null && !selection.isCollapsed && card.current?.contains(selection.anchorNode) === true
      set('selection', inside)
    }
    document.addEventListener('selectionchange', look)
    return () => {
      document.removeEventListener('selectionchange', look)
      // A card that is scrolled away is read by nobody.
      for (const part of ['pointer', 'focus', 'selection'] as const) set(part, false)
    }
  }, [card, set])
  return {
    onPointerEnter: () => set('pointer', true),
    onPointerLeave: () => set('pointer', false),
    onFocus: (event: FocusEvent) => set('focus', event.target.matches(':focus-visible')),
    onBlur: (event: FocusEvent) => set('focus', event.currentTarget.contains(event.relatedTarget)),
  }
}
