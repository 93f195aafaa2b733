// Which other origins may read a response, and which parts of it.

/** What such a page may read besides the body. */
export const exposedHeaders = [
  ...['etag', 'retry-after', 'location', 'content-disposition', 'content-range', 'accept-ranges', 'x-request-id'],
  ...['x-generation-id', 'x-upstream-request-id'],
]

/** The headers of a response to a page of `origin`; empty if it is not allowed, or the request is not from a page. */
export function corsHeaders(origins: readonly string[]): (origin: string | undefined) => Readonly<Record<string, string>> {
  const exposed = exposedHeaders.join(', ')
  return (origin) => {
    if (origin === undefined || !origins.includes(origin)) return {}
    return { vary: 'Origin', 'access-control-allow-origin': origin, 'access-control-expose-headers': exposed }
  }
}
