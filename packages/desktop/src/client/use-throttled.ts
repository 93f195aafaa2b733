import { useEffect, useState } from 'react'
import { useRuntimeClient } from './use-client.ts'

/** The value, which changes at most once per `pause_ms`. */
export function useThrottled<Value extends number | string>(value: Value, pause_ms: number): Value {
  const { clock } = useRuntimeClient()
  const [shown, setShown] = useState(() => ({ value, at: clock.now() }))
  useEffect(() => {
    if (value === shown.value) return
    return clock.after(Math.max(0, shown.at + pause_ms - clock.now()), () => setShown({ value, at: clock.now() }))
  }, [clock, value, pause_ms, shown])
  return shown.value
}
