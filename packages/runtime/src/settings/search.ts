// The provider of `web.search` on this device: from the settings, from the environment, or none.
import { type SearchProviderName, type Settings, searchProviderNames } from '@tandem/contract/command'

export interface KnownSearch {
  readonly provider: SearchProviderName
  readonly url?: string
  /** The name of the setting. */
  readonly key_name: 'search_key'
  readonly key: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** The user's settings come first. A key from one source is never sent to the provider of the other. */
export function knownSearch(
  { search_provider, search_url }: Pick<Settings, 'search_provider' | 'search_url'>,
  key: string | null,
  environment: Environment,
): KnownSearch | null {
  if (search_provider !== null) return found(search_provider, search_url, key)
  const provider = searchProviderNames.find((name) => name === environment.TANDEM_SEARCH_PROVIDER)
  return provider ? found(provider, environment.TANDEM_SEARCH_URL || null, environment.TANDEM_SEARCH_KEY || null) : null
}

/** What is wrong with the environment; null if nothing is. */
export function searchEnvironmentProblem({ TANDEM_SEARCH_PROVIDER: said, TANDEM_SEARCH_URL: url }: Environment): string | null {
  if (said && !(searchProviderNames as readonly string[]).includes(said)) {
    return `TANDEM_SEARCH_PROVIDER is ${JSON.stringify(said)}, but must be one of ${searchProviderNames.join(', ')}: web.search stays off`
  }
  return url && !/^https?:\/\/[^\s@]+$/.test(url)
    ? 'TANDEM_SEARCH_URL must be an http or https address without a user name or password'
    : null
}

function found(provider: SearchProviderName, url: string | null, key: string | null): KnownSearch {
  return { provider, ...(url === null ? {} : { url }), key_name: 'search_key', key }
}
