import { useState } from 'react'
import { useWindowState } from '../client/use-client.ts'
import { Button } from '../part/form/button.tsx'
import { canNotify, turnOffNotifications, turnOnNotifications, useNotificationChoice } from '../part/notifications.ts'
import { navigationWords } from '../strings/navigation.ts'

const told = navigationWords.notices

/** Asked once, when a run works: then it is clear what it is about. */
export function NotificationQuestion() {
  const choice = useNotificationChoice()
  const [opened_at] = useState(() => Date.now())
  // A short run may have ended before this window hears of it.
  const isWorking = useWindowState(({ runs, status }) =>
    [...runs.values()].some(
      (run) => run.device_id === status?.device_id && (run.state === 'running' || Date.parse(run.updated_at) > opened_at),
    ),
  )
  const [isAsking, setIsAsking] = useState(false)
  // It stays until it is answered: a short run must not make it flash.
  if (isWorking && !isAsking) setIsAsking(true)
  if (choice !== 'undecided' || !isAsking || !canNotify() || Notification.permission === 'denied') return null
  return (
    <div
      role="status"
      className="print-hidden flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-sunken px-4 py-2 text-sm"
    >
      <span className="min-w-0">{told.ask}</span>
      <span className="flex gap-2">
        <Button onClick={() => void turnOnNotifications()}>{told.allow}</Button>
        <Button onClick={turnOffNotifications}>{told.later}</Button>
      </span>
    </div>
  )
}
