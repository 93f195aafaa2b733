// The address of the models of this device: from the settings, from the environment, or none.

export interface ModelSettings {
  readonly base_url: string | null
  readonly key: string | null
  readonly default_model: string | null
}

export interface KnownAddress {
  readonly base_url: string
  readonly key: string | null
  readonly default_model: string | null
  readonly source: 'settings' | 'environment'
}

type Environment = Readonly<Record<string, string | undefined>>

/** The settings come first. A key from one source is never sent to the address of the other. */
export function knownAddress(settings: ModelSettings, environment: Environment): KnownAddress | null {
  const named = environment.TANDEM_MODEL || null
  if (settings.base_url) {
    return { base_url: settings.base_url, key: settings.key, default_model: settings.default_model ?? named, source: 'settings' }
  }
  const default_model = settings.default_model ?? named
  const url = environment.TANDEM_MODEL_URL
  if (url) return { base_url: url, key: environment.TANDEM_MODEL_KEY || null, default_model, source: 'environment' }
  const key = environment.OPENAI_API_KEY
  if (key) return { base_url: environment.OPENAI_BASE_URL || 'https://api.openai.com/v1', key, default_model, source: 'environment' }
  return null
}
