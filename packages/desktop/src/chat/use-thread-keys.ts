// The keys of a thread: j and k move between cards, Esc returns to the composer, Ctrl+F searches.
import { type KeyboardEvent, useCallback, useEffect } from 'react'
import { isShortcut } from '../part/shortcuts.ts'
import type { ThreadPart } from '../store/thread.ts'
import type { Rows } from './use-rows.ts'

export function useThreadKeys(
  parts: readonly ThreadPart[],
  show: Rows['show'],
  onFind: () => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (!isShortcut(event, 'find')) return
      event.preventDefault()
      onFind()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [onFind])

  return useCallback(
    (event) => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
      if (!(target instanceof HTMLElement) || target.matches('input, textarea, select, [contenteditable]')) return
      if (isShortcut(event, 'back')) document.getElementById('composer')?.focus()
      else if (isShortcut(event, 'next') || isShortcut(event, 'previous')) {
        const from = target.closest<HTMLElement>('[data-part]')?.dataset.part
        const next = cardFrom(parts, from, isShortcut(event, 'next') ? 1 : -1)
        if (next !== null) show(next, (element) => element.querySelector<HTMLElement>('.card-line')?.focus({ preventScroll: true }))
      } else return
      event.preventDefault()
    },
    [parts, show],
  )
}

/** The next card in that direction; without a current card, the last one. */
function cardFrom(parts: readonly ThreadPart[], from: string | undefined, step: 1 | -1): string | null {
  const begin = from === undefined ? parts.length : parts.findIndex(({ id }) => id === from)
  const way = from === undefined ? -1 : step
  for (let at = begin + way; at >= 0 && at < parts.length; at += way) {
    const part = parts[at]
    if (part?.kind === 'card') return part.id
  }
  return null
}
