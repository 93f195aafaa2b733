// One connection to an executor. Its name is resolved once, every address is checked, and the certificate is compared before anything is
// sent: only the holder of the key that a user confirmed ever sees the token.
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectSecure, type TLSSocket } from 'node:tls'
import type { NegotiationFailure } from '@tandem/contract/executor'
import { pinnedLookup } from '../sandbox/network/pinned-lookup.ts'
import type { Resolve, ResolvedAddress } from '../sandbox/network/resolve.ts'
import { addressProblem, type ExecutorAddress } from './rule/address.ts'

export class ExecutorFailure extends Error {
  readonly reason: NegotiationFailure

  constructor(reason: NegotiationFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ExecutorFailure'
    this.reason = reason
  }
}

/** `certificate_sha256` is null only for plain http. */
export async function openConnection(
  address: ExecutorAddress,
  certificate_sha256: string | null,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<Socket> {
  const socket = await connected(address, resolve, signal)
  const shown = fingerprintOf(socket)
  if (address.scheme === 'https' && (shown === null || shown !== certificate_sha256)) {
    socket.destroy()
    const what = shown === null ? 'it has no certificate' : `its certificate has the fingerprint ${shown}, which was not confirmed`
    throw new ExecutorFailure('certificate_changed', what)
  }
  return socket
}

/** The fingerprint of the certificate at an address; null for plain http. Nothing is sent. */
export async function certificateAt(address: ExecutorAddress, resolve: Resolve, signal: AbortSignal): Promise<string | null> {
  if (address.scheme === 'http') return null
  const socket = await connected(address, resolve, signal)
  try {
    const shown = fingerprintOf(socket)
    if (shown === null) throw new ExecutorFailure('unreachable', 'it has no certificate')
    return shown
  } finally {
    socket.destroy()
  }
}

async function connected(address: ExecutorAddress, resolve: Resolve, signal: AbortSignal): Promise<Socket> {
  const { scheme, host, port } = address
  const addresses = await resolvedAddresses(host, resolve)
  for (const one of addresses) {
    const problem = addressProblem(scheme, one.address)
    if (problem !== null) throw new ExecutorFailure('address_forbidden', `${host} ${problem}`)
  }
  signal.throwIfAborted()
  const target = { host, port, lookup: pinnedLookup(addresses) }
  if (scheme === 'http') return await whenOpen(connectPlain(target), 'connect', signal)
  // The chain is not checked: the fingerprint stands for one certificate, whoever issued it.
  const servername = isIP(host) === 0 ? { servername: host } : {}
  const socket = connectSecure({ ...target, ...servername, rejectUnauthorized: false, minVersion: 'TLSv1.3', ALPNProtocols: ['http/1.1'] })
  return await whenOpen(socket, 'secureConnect', signal)
}

async function resolvedAddresses(host: string, resolve: Resolve): Promise<readonly [ResolvedAddress, ...ResolvedAddress[]]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }]
  try {
    const [first, ...rest] = await resolve(host)
    if (first) return [first, ...rest]
  } catch (error) {
    throw new ExecutorFailure('unreachable', `${host} cannot be resolved (${codeOf(error)})`, { cause: error })
  }
  throw new ExecutorFailure('unreachable', `${host} has no address`)
}

function whenOpen<Opened extends Socket>(socket: Opened, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const give = () => {
      socket.destroy()
      reject(signal.reason)
    }
    const fail = (error: unknown) => {
      signal.removeEventListener('abort', give)
      socket.destroy()
      reject(new ExecutorFailure('unreachable', `no connection (${codeOf(error)})`, { cause: error }))
    }
    signal.addEventListener('abort', give, { once: true })
    socket.once('error', fail)
    // A server that closes during the TLS handshake may cause no error.
    socket.once('close', () => fail(new Error('closed')))
    socket.once(event, () => {
      signal.removeEventListener('abort', give)
      socket.off('error', fail)
      // Until the request listens to it.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

function fingerprintOf(socket: Socket | TLSSocket): string | null {
  if (!('getPeerX509Certificate' in socket)) return null
  return socket.getPeerX509Certificate()?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message.slice(0, 200) : String(error)
}
