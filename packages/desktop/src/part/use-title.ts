import { useEffect } from 'react'
import { words } from '../strings/window.ts'

/** The title of the window while this page is open. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? words.product : `${title} · ${words.product}`
  }, [title])
}
