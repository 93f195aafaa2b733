import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'

/** The current time, updated every second while `ticking` is `on`. */
export function useNow(ticking: 'on' | 'off'): number {
  const { clock } = useRuntimeClient()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (ticking === 'off') return
    let cancel: () => void = () => undefined
    const tick = () => {
      setNow(clock.now())
      cancel = clock.after(1_000, tick)
    }
    tick()
    return () => cancel()
  }, [clock, ticking])
  return now
}
