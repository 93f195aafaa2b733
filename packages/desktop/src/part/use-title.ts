import { useEffect } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { pendingCount } from '../store/pending.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'

/** The title of the window while this page is open, with how many requests wait for an answer. */
export function useTitle(title: string): void {
  const waiting = useWindowState(pendingCount)
  useEffect(() => {
    const named = title === '' ? words.product : `${title} · ${words.product}`
    document.title = waiting === 0 ? named : `${navigationWords.pending.inTitle(waiting)}${named}`
  }, [title, waiting])
}
