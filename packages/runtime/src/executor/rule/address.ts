// Which addresses an executor may have. Users enter them, so private ones are allowed; redirects and responses never lead to others.
import { isIP } from 'node:net'
import { type AddressKind, addressKind, canonicalHost } from '../../sandbox/network/address.ts'

/** With which schemes an address of each kind can be used. */
export const schemesOf: Record<AddressKind, readonly ('http' | 'https')[]> = {
  loopback: ['http', 'https'],
  public: ['https'],
  private: ['https'],
  // Used by overlay networks between the devices of one user.
  shared: ['https'],
  link_local: ['https'],
  // Returns credentials of the machine to any caller.
  metadata: [],
  unspecified: [],
  multicast: [],
  broadcast: [],
  documentation: [],
  benchmarking: [],
  tunnel: [],
  reserved: [],
}

export interface ExecutorAddress {
  /** In the only spelling that is stored and compared. */
  readonly executor_url: string
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  /** The value of the Host header. */
  readonly authority: string
  /** Without a slash at its end; endpoints are appended. */
  readonly path: string
}

export type AddressAnswer =
  | { readonly ok: true; readonly address: ExecutorAddress }
  /** Continues a sentence that begins with the address. */
  | { readonly ok: false; readonly why: string }

export function executorAddress(text: string): AddressAnswer {
  const url = URL.parse(text.trim())
  const scheme = url?.protocol === 'http:' ? 'http' : url?.protocol === 'https:' ? 'https' : null
  if (!url || scheme === null) return refused('must be a URL that starts with https:// (or with http:// for this device)')
  if (url.username !== '' || url.password !== '')
    return refused('must not contain a user name or password; the token is entered separately')
  if (url.search !== '' || url.hash !== '') return refused('must not contain a query or a fragment')
  const host = canonicalHost(url.hostname)
  if (host === null) return refused('must contain a valid host')
  if (scheme === 'http' && !isThisDevice(host))
    return refused('must start with https://: plain http is allowed only for 127.0.0.1, [::1] and localhost')
  const problem = isIP(host) === 0 ? null : addressProblem(scheme, host)
  if (problem !== null) return refused(problem)
  const path = url.pathname.replace(/\/+$/, '')
  const port = url.port === '' ? (scheme === 'http' ? 80 : 443) : Number(url.port)
  return { ok: true, address: { executor_url: `${url.origin}${path}`, scheme, host, port, authority: url.host, path } }
}

/** For every address that a name resolves to. Null if it can be used. */
export function addressProblem(scheme: 'http' | 'https', address: string): string | null {
  const kind = addressKind(address)
  if (schemesOf[kind].includes(scheme)) return null
  const text = `${kind.replace('_', '-')} address`
  const named = `${/^[aeiou]/.test(text) ? 'an' : 'a'} ${text}`
  return schemesOf[kind].length === 0
    ? `leads to ${address}, ${named}, which is never an executor`
    : `leads to ${address}, ${named}, which needs https`
}

/** By its spelling, so that no name server decides over it. */
function isThisDevice(host: string): boolean {
  return host === 'localhost' || (isIP(host) !== 0 && addressKind(host) === 'loopback')
}

function refused(why: string): AddressAnswer {
  return { ok: false, why }
}
