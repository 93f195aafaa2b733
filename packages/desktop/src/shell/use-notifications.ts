// Tells a user who looks elsewhere that a run needs an answer or has ended: a notification, and a mark on the icon of the window.
import { useEffect } from 'react'
import { goTo } from '../address.ts'
import { useRuntimeClient, useWindowState } from '../client/use-client.ts'
import { isNotifying } from '../part/notifications.ts'
import { type Notice, noticesBetween } from '../store/notices.ts'
import { pendingCount } from '../store/pending.ts'
import { navigationWords } from '../strings/navigation.ts'
import { visibleText } from '../text/visible.ts'

export function useNotifications(): void {
  const { store } = useRuntimeClient()
  const waiting = useWindowState(pendingCount)
  useEffect(() => {
    let before = store.get()
    return store.subscribe(() => {
      const after = store.get()
      // What is read first is how things are, and not news.
      const news = before.conversations === null ? [] : noticesBetween(before, after)
      before = after
      if (isWatched() || !isNotifying()) return
      for (const one of news) show(one, visibleText(after.conversations?.get(one.conversation_id)?.title ?? ''))
    })
  }, [store])
  useEffect(() => mark(waiting), [waiting])
}

function isWatched(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
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

function mark(waiting: number): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const address = waiting > 0 ? '/icon-waiting.svg' : '/icon.svg'
  if (icon && icon.getAttribute('href') !== address) icon.href = address
  // Not every browser has it, and only an installed window has an icon.
  const done = waiting > 0 ? navigator.setAppBadge?.(waiting) : navigator.clearAppBadge?.()
  done?.catch(() => undefined)
}
