// Whether the window is dark now: by the system, or by the theme that the user chose.
import { useSyncExternalStore } from 'react'

const system = '(prefers-color-scheme: dark)'

export function useDarkness(): boolean {
  return useSyncExternalStore(subscribe, isDark, () => false)
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia(system).matches : theme === 'dark'
}

function subscribe(tell: () => void): () => void {
  const query = matchMedia(system)
  const observer = new MutationObserver(tell)
  query.addEventListener('change', tell)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => {
    query.removeEventListener('change', tell)
    observer.disconnect()
  }
}
