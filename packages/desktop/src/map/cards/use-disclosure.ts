// A card's disclosure with the one timer it may be waiting for. What is open is decided by the contract's reducer alone.
import { type Disclosure, type DisclosureEvent, disclose, initialDisclosure, nextTick } from '@tandem/contract/card'
import type { RunState } from '@tandem/contract/run'
import { useEffect, useReducer } from 'react'

export function useDisclosure(state: RunState): [Disclosure, (event: DisclosureEvent) => void] {
  const [disclosure, send] = useReducer(disclose, state, initialDisclosure)

  useEffect(() => send({ type: 'run_state', state, at: Date.now() }), [state])

  const due = nextTick(disclosure)
  useEffect(() => {
    if (due === null) return
    const timer = setTimeout(() => send({ type: 'tick', at: Date.now() }), Math.max(0, due - Date.now()))
    return () => clearTimeout(timer)
  }, [due])

  return [disclosure, send]
}
