// Whether a reader is at a card: the pointer rests on it, or the keyboard is in it.
import { type FocusEvent, useRef } from 'react'

/** A click leaves focus on a button without anyone reading there, so only focus that the browser would show counts. */
export function useHold(onChange: (held: boolean) => void) {
  const at = useRef({ pointer: false, focus: false })
  const set = (part: 'pointer' | 'focus', value: boolean) => {
    const before = at.current.pointer || at.current.focus
    at.current[part] = value
    const after = at.current.pointer || at.current.focus
    if (before !== after) onChange(after)
  }
  return {
    onPointerEnter: () => set('pointer', true),
    onPointerLeave: () => set('pointer', false),
    onFocus: (event: FocusEvent) => set('focus', event.target.matches(':focus-visible')),
    onBlur: (event: FocusEvent) => set('focus', event.currentTarget.contains(event.relatedTarget)),
  }
}
