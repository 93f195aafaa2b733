// Model limits per user, from the environment.

export interface MeterLimits {
  /** 0: unlimited. */
  readonly requests_per_minute: number
  /** 0: unlimited. */
  readonly tokens_per_minute: number
  /** 0: no budget. */
  readonly tokens_per_month: number
  readonly calls_in_flight: number
}

export const meterVariables = {
  LLM_REQUESTS_PER_MINUTE:
    'model calls per user per minute; 120 by default, 0 for no limit (an IP address can still send at most 6,000 requests of any kind per minute)',
  LLM_TOKENS_PER_MINUTE: 'tokens per user per minute; 200000 by default, 0 for no limit',
  LLM_TOKENS_PER_MONTH: 'tokens per user per calendar month (UTC); 0, the default, for no budget',
  LLM_CALLS_IN_FLIGHT: 'concurrent model calls per user, 1 to 256; 16 by default',
} as const satisfies Record<string, string>

type MeterVariable = keyof typeof meterVariables

/** The methods of the configuration's reader that are used here; it collects the problems. */
interface IntegerReader {
  integer(name: MeterVariable, range: { min: number; max: number }, fallback: number): number
}

export function readMeterLimits(reader: IntegerReader): MeterLimits {
  return {
    requests_per_minute: reader.integer('LLM_REQUESTS_PER_MINUTE', { min: 0, max: 1_000_000 }, 120),
    tokens_per_minute: reader.integer('LLM_TOKENS_PER_MINUTE', { min: 0, max: 1_000_000_000 }, 200_000),
    tokens_per_month: reader.integer('LLM_TOKENS_PER_MONTH', { min: 0, max: 1_000_000_000_000 }, 0),
    // Each is a key in the cache that every call reads.
    calls_in_flight: reader.integer('LLM_CALLS_IN_FLIGHT', { min: 1, max: 256 }, 16),
  }
}
