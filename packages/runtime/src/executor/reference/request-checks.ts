// Who may send requests to an executor. The checks are in this order, so that a wrong request learns nothing, not even what exists.
import type { IncomingMessage } from 'node:http'

export interface AdmissionPorts {
  /** The exact values of the Host header. */
  readonly hosts: readonly string[]
  isBlocked(address: string): boolean
  isToken(token: string): boolean
  /** A wrong token came from this address. */
  wrongToken(address: string): void
}

type Headers = Pick<IncomingMessage, 'headersDistinct'>

/** The status of the refusal, which has no body; null if the request is admitted. */
export function refusalOf(request: Headers, address: string, ports: AdmissionPorts): 421 | 403 | 429 | 401 | null {
  const { host = [], origin, authorization = [] } = request.headersDistinct
  const [named] = host
  // A name that was rebound to this machine still appears here.
  if (host.length !== 1 || named === undefined || !ports.hosts.includes(named)) return 421
  // Only browsers send it, and no page is a client of an executor.
  if (origin !== undefined) return 403
  if (ports.isBlocked(address)) return 429
  const [, token] = /^Bearer ([\x21-\x7e]{1,1000})$/.exec(authorization.length === 1 ? (authorization[0] ?? '') : '') ?? []
  // A request without a token is no attempt to guess one: otherwise any page could block this address with an image.
  if (token === undefined) return 401
  if (ports.isToken(token)) return null
  ports.wrongToken(address)
  return 401
}
