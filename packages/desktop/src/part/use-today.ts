import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'

/** The current day; it changes at midnight, and after a computer has slept longer. */
export function useToday(): Date {
  const { clock } = useRuntimeClient()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const today = new Date(now)
    const midnight = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1).getTime()
    return clock.after(Math.max(1_000, midnight - clock.now()), () => setNow(clock.now()))
  }, [clock, now])
  return new Date(now)
}
