// Which pages may open the channel. Programs that are no browser send no Origin; a page can't leave it out.

interface Arrival {
  readonly origin: string | undefined
  /** Of the request, as the proxies that we trust report it. */
  readonly host: string
  readonly protocol: string
}

/** The page's origin must be named in the configuration, letter for letter, or be that of this very service. */
export function originAllowed({ origin, host, protocol }: Arrival, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true
  const page = URL.parse(origin)
  if (!page || page.origin !== origin || page.host !== host) return false
  // A proxy that we were not told of may have taken the TLS off: then a secure page asks what we see as plain.
  return page.protocol === 'https:' || (page.protocol === 'http:' && protocol === 'http')
}
