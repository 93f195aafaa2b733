// Whether the user wants notifications. The choice is stored in this browser, like the permission of the browser that it needs.
import { createStore, useStore } from '../store/store.ts'

/** `undecided`: the user was not asked yet. */
export type NotificationChoice = 'undecided' | 'on' | 'off'

const key = 'tandem.notifications'
const store = createStore<NotificationChoice>(stored())

export const canNotify = () => typeof Notification !== 'undefined'

export function useNotificationChoice(): NotificationChoice {
  return useStore(store, (state) => state)
}

export function isNotifying(): boolean {
  return store.get() === 'on' && canNotify() && Notification.permission === 'granted'
}

/** Must be called in response to a click: browsers ask only then. Returns whether notifications are on now. */
export async function turnOnNotifications(): Promise<boolean> {
  if (!canNotify()) return false
  const isAllowed = (await Notification.requestPermission()) === 'granted'
  choose(isAllowed ? 'on' : 'off')
  return isAllowed
}

export function turnOffNotifications(): void {
  choose('off')
}

function choose(choice: NotificationChoice): void {
  store.change(() => choice)
  try {
    localStorage.setItem(key, choice)
  } catch (error) {
    console.warn('the choice about notifications cannot be saved', error)
  }
}

function stored(): NotificationChoice {
  try {
    const found = localStorage.getItem(key)
    return found === 'on' || found === 'off' ? found : 'undecided'
  } catch (error) {
    console.warn('the choice about notifications cannot be read', error)
    return 'undecided'
  }
}
