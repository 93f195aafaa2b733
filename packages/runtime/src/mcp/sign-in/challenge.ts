// What a server asks for when it refuses a request: the `WWW-Authenticate` header (RFC 6750, RFC 9728).

export interface Challenge {
  readonly resource_metadata: string | null
  readonly scope: string | null
  readonly error: string | null
}

const longestHeader = 8_192

/** Null if the header does not ask for a token. */
export function readChallenge(header: string | undefined): Challenge | null {
  if (header === undefined || header.length > longestHeader || !/(?:^|,)\s*bearer(?:\s|$)/i.test(header)) return null
  const found = new Map<string, string>()
  for (const [, name = '', quoted, plain = ''] of header.matchAll(/([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi)) {
    const key = name.toLowerCase()
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain)
  }
  return {
    resource_metadata: found.get('resource_metadata') ?? null,
    scope: readScope(found.get('scope')),
    error: found.get('error') ?? null,
  }
}

const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/

/** Valid scopes of a text or a list, at most fifty. */
export function readScope(value: unknown): string | null {
  const words = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : []
  const valid = words.filter((word): word is string => typeof word === 'string' && scopeToken.test(word))
  return valid.length === 0 ? null : [...new Set(valid)].slice(0, 50).join(' ')
}
