import { mcpLimits } from '../limits.ts'

/**
 * How long to wait before the attempt after `failures` failed ones: doubling up to the longest, between half and all of it by `random`,
 * so that servers that died together do not come back together.
 */
export function reconnectDelay(failures: number, random: number): number {
  const whole = Math.min(mcpLimits.reconnect_longest_ms, mcpLimits.reconnect_first_ms * 2 ** Math.min(failures, 30))
  return Math.round(whole * (0.5 + random / 2))
}
