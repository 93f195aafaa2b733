import { useCallback, useEffect, useState } from 'react'
import { askStatus, type Sight } from './status.ts'

const everyMs = 10_000

export interface StatusSeen {
  readonly sight: Sight
  readonly asking: boolean
  again(): void
}

/** Looks at once, then every ten seconds while the window is in view. */
export function useStatus(): StatusSeen {
  const [sight, setSight] = useState<Sight>({ state: 'loading' })
  const [round, setRound] = useState(0)
  const [answered, setAnswered] = useState(-1)

  useEffect(() => {
    const gone = new AbortController()
    void askStatus(gone.signal).then((seen) => {
      if (gone.signal.aborted) return
      setSight(seen)
      setAnswered(round)
    })
    return () => gone.abort()
  }, [round])

  const again = useCallback(() => setRound((last) => last + 1), [])
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again()
    }, everyMs)
    return () => clearInterval(timer)
  }, [again])

  return { sight, asking: answered !== round, again }
}
