// Who `web.search` asks on this device: what a person set, what the environment says, or nobody.
import { type SearchProviderName, type Settings, searchProviderNames } from '@tandem/contract/command'

export interface KnownSearch {
  readonly provider: SearchProviderName
  readonly url?: string
  /** The name of the setting. */
  readonly key_name: 'search_key'
  readonly key: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** What a person set comes first. A key from one place is never sent to the provider of another. */
export function knownSearch(
  { search_provider, search_url }: Pick<Settings, 'search_provider' | 'search_url'>,
  key: string | null,
  environment: Environment,
): KnownSearch | null {
  if (search_provider !== null) return found(search_provider, search_url, key)
  const provider = searchProviderNames.find((name) => name === environment.TANDEM_SEARCH_PROVIDER)
  return provider ? found(provider, environment.TANDEM_SEARCH_URL || null, environment.TANDEM_SEARCH_KEY || null) : null
}

/** What is wrong with the environment's words on it; null when nothing is. */
export function searchComplaint({ TANDEM_SEARCH_PROVIDER: said, TANDEM_SEARCH_URL: url }: Environment): string | null {
  if (said && !(searchProviderNames as readonly string[]).includes(said)) {
    return `TANDEM_SEARCH_PROVIDER is ${JSON.stringify(said)}, which is none of ${searchProviderNames.join(', ')}: web.search stays off`
  }
  return url && !/^https?:\/\/[^\s@]+$/.test(url) ? 'TANDEM_SEARCH_URL is not an http or https address without a name and password' : null
}

function found(provider: SearchProviderName, url: string | null, key: string | null): KnownSearch {
  return { provider, ...(url === null ? {} : { url }), key_name: 'search_key', key }
}
