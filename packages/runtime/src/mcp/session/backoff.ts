import { mcpLimits } from '../limits.ts'

/**
 * The delay before the attempt after `failures` failures: it doubles up to a maximum, and `random` reduces it by up to half, so that
 * servers that died together do not all restart at the same time.
 */
export function reconnectDelay(failures: number, random: number): number {
  const whole = Math.min(mcpLimits.reconnect_longest_ms, mcpLimits.reconnect_first_ms * 2 ** Math.min(failures, 30))
  return Math.round(whole * (0.5 + random / 2))
}
