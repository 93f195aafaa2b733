// Pings at a fixed interval, one at a time. It only counts missed pings; the supervisor decides what they mean.
import type { Clock } from '../../clock/clock.ts'
import { mcpLimits } from '../limits.ts'

export interface HeartbeatListeners {
  ping(): Promise<boolean>
  answered(): void
  /** How many in a row were missed so far. */
  missed(count: number): void
}

export interface Heartbeat {
  /** Pings now instead of at the next interval, unless a ping is pending. */
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
      // After a missed ping, the next one comes sooner: callers should not wait for minutes.
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
