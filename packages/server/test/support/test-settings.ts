// The settings of a gateway for tests: only the demo model, and no limits.
import type { LlmSettings } from '../../src/config/llm/settings.ts'

export const testLlmSettings: LlmSettings = {
  providers: [],
  demo: true,
  aliases: {},
  fallbacks: {},
  models: {},
  limits: { requests_per_minute: 0, tokens_per_minute: 0, tokens_per_month: 0, calls_in_flight: 16 },
}
