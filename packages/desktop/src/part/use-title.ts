import { useEffect } from 'react'
import { words } from '../strings/window.ts'

/** What the window calls itself while this page stands in it. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? words.product : `${title} · ${words.product}`
  }, [title])
}
