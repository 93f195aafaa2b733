import { useEffect, useState } from 'react'
import { useRuntimeClient } from '../client/use-client.ts'

const pause_ms = 200

/** What was typed, as soon as the user pauses. */
export function usePause(typed: string): string {
  const { clock } = useRuntimeClient()
  const [settled, setSettled] = useState(typed.trim())
  useEffect(() => clock.after(pause_ms, () => setSettled(typed.trim())), [clock, typed])
  return settled
}
