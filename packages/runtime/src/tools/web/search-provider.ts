// The requests and responses of each search provider.

import type { SearchResult } from '@tandem/contract/tool/output'

type SearchProviderName = 'searxng' | 'brave' | 'tavily'

export interface SearchSettings {
  readonly provider: SearchProviderName
  /** Required for SearXNG, which is self-hosted; for other providers the URL of a relay. */
  readonly url?: string
  /** The name under which the key is stored on this device. */
  readonly key_name?: string
}

interface SearchOrder {
  readonly address: string
  readonly query: string
  readonly count: number
  readonly page: number
  readonly key: string | null
}

interface SearchProvider {
  readonly address: string
  readonly needs_key: boolean
  ask(order: SearchOrder): { url: string; method: string; headers: Record<string, string>; body?: string }
  read(answer: unknown): readonly SearchResult[]
}

export const searchProviders: Readonly<Record<SearchProviderName, SearchProvider>> = {
  searxng: {
    address: 'http://localhost:8888/search',
    needs_key: false,
    ask: ({ address, query, page, key }) => ({
      url: withQuery(address, { q: query, format: 'json', pageno: String(page) }),
      method: 'GET',
      headers: { accept: 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) },
    }),
    read: (answer) => list(answer, 'results').map((item) => result(item, 'content', 'publishedDate')),
  },
  brave: {
    address: 'https://api.search.brave.com/res/v1/web/search',
    needs_key: true,
    ask: ({ address, query, count, page, key }) => ({
      url: withQuery(address, { q: query, count: String(count), offset: String(page - 1), text_decorations: 'false' }),
      method: 'GET',
      headers: { accept: 'application/json', 'x-subscription-token': key ?? '' },
    }),
    read: (answer) => list(field(answer, 'web'), 'results').map((item) => result(item, 'description', 'page_age')),
  },
  tavily: {
    address: 'https://api.tavily.com/search',
    needs_key: true,
    ask: ({ address, query, count, key }) => ({
      url: address,
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: `Bearer ${key ?? ''}` },
      body: JSON.stringify({ query, max_results: count, search_depth: 'basic', include_answer: false }),
    }),
    read: (answer) => list(answer, 'results').map((item) => result(item, 'content', 'published_date')),
  },
}

/** The setting is often the home page of a SearXNG; its search is below it. */
export function searchAddress({ provider, url }: SearchSettings): string {
  if (url === undefined) return searchProviders[provider].address
  const parsed = URL.parse(url)
  if (provider === 'searxng' && parsed && !parsed.pathname.endsWith('/search')) return new URL('search', withSlash(parsed)).href
  return url
}

function withSlash(url: URL): string {
  return url.pathname.endsWith('/') ? url.href : `${url.origin}${url.pathname}/`
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = URL.parse(address)
  if (!url) return address
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

function result(item: unknown, text: string, published: string): SearchResult {
  return {
    title: words(field(item, 'title')),
    url: words(field(item, 'url')),
    text: words(field(item, text)),
    published: words(field(item, published)) || null,
  }
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}

/** Providers highlight matches with HTML elements; returns the plain text. */
function words(value: unknown): string {
  if (typeof value !== 'string') return ''
  return value
    .replace(/<[^>]{1,100}>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 2_000)
}
