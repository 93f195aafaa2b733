import { useEffect } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { pendingCount } from '../store/pending.ts'
import { navigationWords } from '../strings/navigation.ts'
import { words } from '../strings/window.ts'
import { useUnseenCount } from './unseen.ts'

/** The title of the window while this page is open, with how many requests wait for an answer, or a mark for runs that have ended unseen. */
export function useTitle(title: string): void {
  const waiting = useWindowState(pendingCount)
  const isUnseen = useUnseenCount() > 0
  useEffect(() => {
    const named = title === '' ? words.product : `${title} · ${words.product}`
    const mark = waiting > 0 ? navigationWords.pending.inTitle(waiting) : isUnseen ? '• ' : ''
    document.title = `${mark}${named}`
  }, [title, waiting, isUnseen])
}
