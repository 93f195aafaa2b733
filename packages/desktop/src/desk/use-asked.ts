// What a page asks the runtime for, in the three states it can be in. While it is asked again the last answer stays.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Answer, CallError } from '../connection/channel.ts'
import { useWindow } from './use-desk.ts'

export type Asked<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: CallError }
  | { readonly state: 'ready'; readonly value: Value }

/** Asks anew when `key` changes; once more when `version` does, when `again` is called, and when a lost connection is back. */
export function useAsked<Value>(
  key: string,
  ask: () => Promise<Answer<Value>>,
  version = 0,
): { readonly asked: Asked<Value>; again(): void } {
  const [answered, setAnswered] = useState<{ readonly key: string; readonly asked: Asked<Value> }>({ key, asked: { state: 'loading' } })
  const [round, setRound] = useState(0)
  const isOnline = useWindow((state) => state.connection === 'online')
  const latest = useRef(ask)
  latest.current = ask
  // biome-ignore lint/correctness/useExhaustiveDependencies: round and version are wishes to ask once more.
  useEffect(() => {
    if (!isOnline) return
    let isWanted = true
    void latest.current().then((answer) => {
      if (isWanted)
        setAnswered({ key, asked: answer.ok ? { state: 'ready', value: answer.value } : { state: 'failed', error: answer.error } })
    })
    return () => {
      isWanted = false
    }
  }, [key, version, round, isOnline])
  const again = useCallback(() => setRound((one) => one + 1), [])
  return { asked: answered.key === key ? answered.asked : { state: 'loading' }, again }
}

/** The number of the newest event of these names, so that a list is read again when one happened. */
export function useNewest(names: RegExp, run_id: string | null = null): number {
  return useWindow(
    ({ events }) => events.findLast(({ event }) => names.test(event.event) && (run_id === null || event.run_id === run_id))?.no ?? 0,
  )
}
