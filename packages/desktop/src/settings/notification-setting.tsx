import { useState } from 'react'
import { canNotify, turnOffNotifications, turnOnNotifications, useNotificationChoice } from '../part/notifications.ts'
import { navigationWords } from '../strings/navigation.ts'

const told = navigationWords.notices

export function NotificationSetting() {
  const choice = useNotificationChoice()
  const [isBlocked, setIsBlocked] = useState(false)
  const change = async (on: boolean) => {
    if (on) setIsBlocked(!(await turnOnNotifications()))
    else turnOffNotifications()
  }
  return (
    <fieldset>
      <legend className="mb-2 text-soft text-sm">{told.setting}</legend>
      <label className="option">
        <input
          type="checkbox"
          data-field="notifications"
          checked={choice === 'on'}
          disabled={!canNotify()}
          onChange={(event) => void change(event.target.checked)}
          className="mt-1.5 accent-(--cloud)"
        />
        <span>
          <span className="block font-medium">{told.settingLabel}</span>
          <span className="block text-soft text-sm">{canNotify() ? told.settingHint : told.unavailable}</span>
        </span>
      </label>
      {isBlocked && (
        <p role="alert" className="mt-2 text-bad text-sm">
          {told.blocked}
        </p>
      )}
    </fieldset>
  )
}
