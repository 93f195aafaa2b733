// Pings at a steady pace, one at a time. It counts; what a count means is the supervisor's to say.
import type { Clock } from '../../clock/clock.ts'
import { mcpLimits } from '../limits.ts'

export interface HeartbeatListeners {
  ping(): Promise<boolean>
  answered(): void
  /** How many in a row were missed by now. */
  missed(count: number): void
}

export interface Heartbeat {
  /** Pings now instead of at its time, unless one is under way. */
  hurry(): void
  stop(): void
}

export function startHeartbeat(clock: Clock, listeners: HeartbeatListeners): Heartbeat {
  let misses = 0
  let pinging = false
  let stopped = false
  let cancel = clock.after(mcpLimits.ping_every_ms, beat)

  function beat(): void {
    if (pinging || stopped) return
    pinging = true
    cancel()
    void listeners.ping().then((answered) => {
      pinging = false
      if (stopped) return
      misses = answered ? 0 : misses + 1
      // A server that missed one is asked again sooner: whoever waits for it should not wait for minutes.
      cancel = clock.after(answered ? mcpLimits.ping_every_ms : mcpLimits.ping_ms, beat)
      if (answered) listeners.answered()
      else listeners.missed(misses)
    })
  }

  return {
    hurry: beat,
    stop() {
      stopped = true
      cancel()
    },
  }
}
