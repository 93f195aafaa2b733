// Printing a conversation: everything is on paper, not only what is visible or loaded. The keys for printing first load the rest and render
// it in steps, so that the window still responds; if printing begins otherwise, all that is loaded is rendered at once.
import { useCallback, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { isShortcut } from '../part/shortcuts.ts'

export interface Printing {
  /** How many rows are rendered from the first on; null for those near the view. */
  readonly rows: number | null
  /** How many are ready; null unless they are being prepared. */
  readonly prepared: number | null
  cancel(): void
}

type PrintState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'preparing'; readonly done: number }
  | { readonly kind: 'ready' }
  | { readonly kind: 'printing' }

const idle: PrintState = { kind: 'idle' }
/** Rows of one step: a frame or two. */
const step = 100

/** `isLoaded`: whether all messages are here. `total`: the rows so far. */
export function usePrinting(isLoaded: boolean, total: number): Printing {
  const [state, setState] = useState<PrintState>(idle)
  const cancel = useCallback(() => setState(idle), [])
  useEffect(() => {
    // The browser takes its picture of the page right after the event.
    const begin = () => flushSync(() => setState({ kind: 'printing' }))
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setState((now) => (now.kind === 'printing' ? now : idle))
      if (!isShortcut(event, 'print')) return
      event.preventDefault()
      setState((now) => (now.kind === 'idle' ? { kind: 'preparing', done: 0 } : now))
    }
    addEventListener('beforeprint', begin)
    addEventListener('afterprint', cancel)
    addEventListener('keydown', onKeyDown)
    return () => {
      removeEventListener('beforeprint', begin)
      removeEventListener('afterprint', cancel)
      removeEventListener('keydown', onKeyDown)
    }
  }, [cancel])
  useEffect(() => {
    if (state.kind === 'ready') {
      const opening = setTimeout(() => print())
      return () => clearTimeout(opening)
    }
    if (state.kind !== 'preparing' || !isLoaded) return
    const next: PrintState = state.done >= total ? { kind: 'ready' } : { kind: 'preparing', done: Math.min(total, state.done + step) }
    const timer = setTimeout(() => setState((now) => (now === state ? next : now)))
    return () => clearTimeout(timer)
  }, [state, isLoaded, total])
  if (state.kind === 'idle') return { rows: null, prepared: null, cancel }
  return { rows: state.kind === 'preparing' ? state.done : total, prepared: state.kind === 'preparing' ? state.done : null, cancel }
}
