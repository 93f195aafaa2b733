// A request that is answered disappears with the focus. It moves to the next request, or to `otherwise`: a user of the keyboard
// stays where they were.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** The title of an approval, where no key answers: two quick presses must not answer an approval that was not read. */
const nextRequest = '[role=alertdialog] h2, form :is(input, textarea):not(:disabled)'

/** Returns the reference of the element around the requests. `otherwise` is a selector. */
export function useFocusAfterAnswer(otherwise: string): RefObject<HTMLDivElement | null> {
  const around = useRef<HTMLDivElement>(null)
  const focused = useRef<Element | null>(null)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      focused.current = target instanceof Element && around.current?.contains(target) ? target : null
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected || document.activeElement !== document.body) return
    focused.current = null
    const next = around.current?.querySelector<HTMLElement>(nextRequest) ?? document.querySelector<HTMLElement>(otherwise)
    next?.focus()
  })
  return around
}
