// The window's routes. The host serves the same page for each of them; this file decides what is rendered.
import { type MouseEvent, useSyncExternalStore } from 'react'

const changed = 'tandem:address'

export function useAddress(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

export function goTo(path: string): void {
  if (path !== location.pathname) history.pushState(null, '', path)
  dispatchEvent(new Event(changed))
}

/** Follows a link inside the window; a click that opens a new tab is left to the browser. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  goTo(event.currentTarget.pathname)
}

export function timelineAddress(run_id: string): string {
  return `/recovery/${encodeURIComponent(run_id)}`
}

export function restoreAddress(run_id: string, checkpoint_id: string): string {
  return `${timelineAddress(run_id)}/${encodeURIComponent(checkpoint_id)}`
}

function subscribe(notify: () => void): () => void {
  addEventListener('popstate', notify)
  addEventListener(changed, notify)
  return () => {
    removeEventListener('popstate', notify)
    removeEventListener(changed, notify)
  }
}
