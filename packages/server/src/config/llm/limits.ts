// How much of models one user may have, from the environment.

export interface MeterLimits {
  /** 0: as many as there are. */
  readonly requests_per_minute: number
  /** 0: as many as there are. */
  readonly tokens_per_minute: number
  /** 0: no budget. */
  readonly tokens_per_month: number
  readonly calls_in_flight: number
}

export const meterVariables = {
  LLM_REQUESTS_PER_MINUTE:
    'calls of models a user may make in a minute; 120 by default, 0 for no limit (an address may still send 6,000 requests of any kind in a minute)',
  LLM_TOKENS_PER_MINUTE: 'tokens a user may use in a minute; 200000 unless told, 0 for no limit',
  LLM_TOKENS_PER_MONTH: 'tokens a user may use in a calendar month (UTC); 0, the default, for no budget',
  LLM_CALLS_IN_FLIGHT: 'calls of models a user may have under way at once, 1 to 256; 16 by default',
} as const satisfies Record<string, string>

type MeterVariable = keyof typeof meterVariables

/** What is read of the configuration's reader; it gathers the problems. */
interface IntegerReader {
  integer(name: MeterVariable, range: { min: number; max: number }, fallback: number): number
}

export function readMeterLimits(reader: IntegerReader): MeterLimits {
  return {
    requests_per_minute: reader.integer('LLM_REQUESTS_PER_MINUTE', { min: 0, max: 1_000_000 }, 120),
    tokens_per_minute: reader.integer('LLM_TOKENS_PER_MINUTE', { min: 0, max: 1_000_000_000 }, 200_000),
    tokens_per_month: reader.integer('LLM_TOKENS_PER_MONTH', { min: 0, max: 1_000_000_000_000 }, 0),
    // Each is a key in the cache that every call looks at.
    calls_in_flight: reader.integer('LLM_CALLS_IN_FLIGHT', { min: 1, max: 256 }, 16),
  }
}
