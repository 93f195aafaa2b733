// Tells a user who looks elsewhere that a run needs an answer or has ended: a notification, marks on the icon of the window and in the list of
// conversations.
import { useEffect } from 'react'
import { goTo, pageOf } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { isNotifying } from '../part/notifications.ts'
import { followOtherWindows, markSeen, markUnseen, useUnseenCount } from '../part/unseen.ts'
import { isWatched, isWatchedHere, sayWhileWatched } from '../part/watching.ts'
import { isMarked, type Notice, noticesBetween } from '../store/notices.ts'
import { pendingCount } from '../store/pending.ts'
import { navigationWords } from '../strings/navigation.ts'
import { visibleText } from '../text/visible.ts'

export function useNotifications(): void {
  const { store } = useRuntimeClient()
  const waiting = useWindowState(pendingCount)
  const unseen = useUnseenCount()
  useEffect(() => sayWhileWatched(), [])
  useEffect(() => followOtherWindows(), [])
  useEffect(() => {
    let before = store.get()
    return store.subscribe(() => {
      const after = store.get()
      // What is read first is how things are, and not news.
      const news = before.conversations === null ? [] : noticesBetween(before, after)
      before = after
      for (const one of news) if (isMarked(one) && !isShown(one.conversation_id)) markUnseen(one.conversation_id)
      if (isWatched() || !isNotifying()) return
      for (const one of news) show(one, visibleText(after.conversations?.get(one.conversation_id)?.title ?? ''))
    })
  }, [store])
  useEffect(() => mark(waiting, unseen), [waiting, unseen])
}

/** What is open in a window that the user looks at has been seen. */
export function useSeen(path: string): void {
  useEffect(() => {
    const see = () => {
      const [, conversation_id] = /^\/c\/([^/]+)$/.exec(pageOf(path)) ?? []
      if (conversation_id !== undefined && isWatchedHere()) markSeen(conversation_id)
    }
    see()
    addEventListener('focus', see)
    return () => removeEventListener('focus', see)
  }, [path])
}

function isShown(conversation_id: string): boolean {
  return isWatchedHere() && pageOf(location.pathname) === `/c/${conversation_id}`
}

/** Two windows with the same news show one notification: the second replaces the first. */
function show({ key, kind, conversation_id }: Notice, title: string): void {
  const notification = new Notification(navigationWords.notices.kinds[kind], { body: title.slice(0, 120), tag: key, icon: '/icon-192.png' })
  notification.onclick = () => {
    focus()
    goTo(`/c/${conversation_id}`)
    notification.close()
  }
}

function mark(waiting: number, unseen: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const address = waiting + unseen > 0 ? '/icon-waiting.svg' : '/icon.svg'
  if (icon && icon.getAttribute('href') !== address) icon.href = address
  // Not every browser has it, and only an installed window has an icon.
  const done = waiting + unseen > 0 ? navigator.setAppBadge?.(waiting + unseen) : navigator.clearAppBadge?.()
  done?.catch(() => undefined)
}
