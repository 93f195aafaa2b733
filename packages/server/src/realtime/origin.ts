// Which pages may open the channel. Programs other than browsers send no Origin; a page cannot omit it.

interface Arrival {
  readonly origin: string | undefined
  /** Of the request, as reported by trusted proxies. */
  readonly host: string
  readonly protocol: string
}

/** The page's origin must be in the configuration, exactly, or be that of this service. */
export function originAllowed({ origin, host, protocol }: Arrival, allowed: readonly string[]): boolean {
  if (origin === undefined || allowed.includes(origin)) return true
  const page = URL.parse(origin)
  if (!page || page.origin !== origin || page.host !== host) return false
  // An unknown proxy may have terminated TLS: then a secure page appears as plain HTTP to us.
  return page.protocol === 'https:' || (page.protocol === 'http:' && protocol === 'http')
}
