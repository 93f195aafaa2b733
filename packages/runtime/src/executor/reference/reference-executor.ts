// The reference executor, which `tandem executor` starts on another machine: handshake, capabilities, health, and jobs.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import { jobCapabilities, jobLimits } from '@tandem/contract/executor'
import { CapabilityName } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import manifest from '../../../package.json' with { type: 'json' }
import { type Clock, systemClock } from '../../clock/clock.ts'
import { addressKind, canonicalHost } from '../../sandbox/network/address.ts'
import { type Lease, takeLease } from '../../store/lease.ts'
import { type Answering, answer } from './answers.ts'
import { limitConnections } from './connections.ts'
import { type ExecutorIdentity, makeOwnFolder, openIdentity } from './identity.ts'
import { openJobSandbox } from './jobs/job-sandbox.ts'
import { type JobSpace, openJobs } from './jobs/jobs.ts'
import { offerOf } from './offer.ts'
import { refusalOf } from './request-checks.ts'
import { send } from './response.ts'
import { openWrongTokens } from './wrong-tokens.ts'

export interface ReferenceOptions {
  /** Where the hash of the token and the certificate are stored. */
  readonly folder: string
  /** An IP address of this machine. Others than loopback are served only with TLS. */
  readonly listen: string
  readonly port: number
  /** The names under which clients reach it, besides the address itself. */
  readonly hosts: readonly string[]
  /** Without TLS, on loopback only. */
  readonly plain: boolean
  readonly capabilities: readonly string[]
  readonly renew_token: boolean
  readonly allow_root: boolean
  /** Tandem's folder, which jobs cannot see; `folder` is below it. */
  readonly home?: string
  /** Patterns of hosts that jobs may access; none by default. */
  readonly job_hosts?: readonly string[]
  /** Whether jobs run although nothing restricts them. */
  readonly unrestricted?: boolean
  readonly space?: JobSpace
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly uid: number | null
  readonly clock?: Clock
}

export interface ReferenceExecutor {
  /** As clients enter it. */
  readonly url: string
  /** Null for plain http. */
  readonly certificate_sha256: string | null
  /** Null unless it was created by this start. */
  readonly new_token: string | null
  stop(): Promise<void>
}

export type ReferenceStart =
  | { readonly ok: true; readonly executor: ReferenceExecutor }
  | { readonly ok: false; readonly problem: string; readonly remedy: string }

export async function startReferenceExecutor(options: ReferenceOptions): Promise<ReferenceStart> {
  const refusal = startRefusal(options)
  if (refusal) return { ok: false, ...refusal }
  makeOwnFolder(options.folder)
  const lease = takeLease(options.folder)
  if (lease === null)
    return {
      ok: false,
      problem: `another executor already uses ${options.folder}`,
      remedy: 'Stop it first, or set TANDEM_HOME to another folder.',
    }
  let start: ReferenceStart | null = null
  try {
    start = await startAlone(options, lease)
    return start
  } finally {
    if (!start?.ok) lease.release()
  }
}

/** The folder belongs to this executor. */
async function startAlone(options: ReferenceOptions, lease: Lease): Promise<ReferenceStart> {
  const { folder, listen, port, plain, capabilities, renew_token, environment, clock = systemClock } = options
  const opening = openIdentity(folder, clock.now(), renew_token)
  if (!opening.ok) return opening
  const { identity } = opening
  const { home = folder, job_hosts = [], unrestricted = false, space = jobLimits } = options
  const sandbox = openJobSandbox({ clock, home, environment, hosts: job_hosts, unrestricted })
  await sandbox.test()
  const isSandboxed = sandbox.enforcement() === 'os'
  const offered = isSandboxed || unrestricted ? [jobCapabilities.run, ...(isSandboxed ? [jobCapabilities.sandboxed] : [])] : []
  const offer = await offerOf(environment, manifest.version, [...offered, ...capabilities])
  const jobs = openJobs({ clock, folder: join(folder, 'jobs'), path: environment.PATH ?? '', sandbox, space })
  const end = async () => {
    await jobs.stop()
    await sandbox.stop()
  }
  const hosts: string[] = []
  const server = plain ? createServer(limits) : createSecureServer({ ...limits, ...tls(identity) })
  serve(server, { identity, hosts, answering: { offer, jobs, clock } })
  const bound = await bind(server, port, listen)
  if (typeof bound !== 'number') {
    await end()
    return { ok: false, problem: `it cannot listen on ${listen}:${port} (${bound.code})`, remedy: 'Choose another --port or --listen.' }
  }
  try {
    identity.save()
  } catch (error) {
    await close(server)
    await end()
    throw error
  }
  hosts.push(...exactHosts(options, bound))
  let stopping: Promise<void> | null = null
  return {
    ok: true,
    executor: {
      url: `${plain ? 'http' : 'https'}://${hosts[0]}`,
      certificate_sha256: plain ? null : identity.certificate_sha256,
      new_token: identity.new_token,
      stop() {
        stopping ??= close(server).then(end).finally(lease.release)
        return stopping
      },
    },
  }
}

function startRefusal(options: ReferenceOptions): { readonly problem: string; readonly remedy: string } | null {
  const { listen, plain, hosts, capabilities, uid, allow_root } = options
  if (uid === 0 && !allow_root)
    return {
      problem: 'an executor must not run as root',
      remedy: 'Start it as an ordinary user, or add --allow-root if you accept the risk.',
    }
  if (isIP(listen) === 0)
    return { problem: `--listen ${listen} is not an IP address`, remedy: 'Use an address of this machine, such as 192.168.1.20.' }
  const kind = addressKind(listen)
  if (plain && kind !== 'loopback')
    return { problem: 'plain http is allowed only on loopback', remedy: 'Leave out --plain: the executor has its own certificate.' }
  if ((kind === 'unspecified' || canonicalHost(listen) === null) && hosts.length === 0)
    return {
      problem: `on ${listen}, the executor does not know the address that clients use`,
      remedy: 'Add it with --host, such as --host build.example or --host 192.168.1.20.',
    }
  const wrong = capabilities.find((name) => !Check(CapabilityName, name))
  if (wrong !== undefined)
    return { problem: `"${wrong}" is not a capability`, remedy: 'Use lower-case letters, digits, _ and dots, such as gpu.cuda.' }
  const unusable = hosts.find((host) => URL.parse(`https://${host}/`)?.hostname !== host)
  return unusable === undefined ? null : { problem: `"${unusable}" is not a host`, remedy: 'Use a name or an IP address, without a port.' }
}

/** Together with a port, the only values of the Host header that are accepted. */
function exactHosts({ listen, hosts, plain }: ReferenceOptions, port: number): string[] {
  // As clients spell it; an address with a zone has no spelling in a URL.
  const address = canonicalHost(listen)
  const own = address === null || addressKind(address) === 'unspecified' ? [] : [isIP(address) === 6 ? `[${address}]` : address]
  const local = addressKind(listen) === 'loopback' ? ['localhost'] : []
  const isDefault = port === (plain ? 80 : 443)
  return [...hosts, ...own, ...local].map((host) => (isDefault ? host : `${host}:${port}`))
}

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  // Long enough for a file of a job. Refused requests are not read, and all others have limits of their own.
  requestTimeout: 300_000,
  keepAliveTimeout: 1_000,
  connectionsCheckingInterval: 1_000,
  insecureHTTPParser: false,
  // It is checked here, so that the refusal is the same as for a wrong one.
  requireHostHeader: false,
}

function tls({ key, cert }: ExecutorIdentity) {
  return { key, cert, minVersion: 'TLSv1.3' as const, ALPNProtocols: ['http/1.1'], handshakeTimeout: 5_000 }
}

interface Serving {
  readonly identity: ExecutorIdentity
  readonly hosts: readonly string[]
  readonly answering: Answering
}

function serve(server: Server, { identity, hosts, answering }: Serving): void {
  const { clock } = answering
  const connections = limitConnections(server)
  const wrong = openWrongTokens()
  const admission = {
    hosts,
    isBlocked: (address: string) => wrong.isBlocked(address, clock.elapsed()),
    isToken: identity.isToken,
    wrongToken: (address: string) => wrong.add(address, clock.elapsed()),
  }
  function listener(request: IncomingMessage, response: ServerResponse, admitted?: () => void): void {
    const refusal = refusalOf(request, request.socket.remoteAddress ?? '', admission)
    if (refusal !== null) {
      send(response, refusal)
      return
    }
    connections.admit(request.socket)
    admitted?.()
    answer(request, response, answering).catch(() => response.destroy())
  }
  server.on('request', (request, response) => listener(request, response))
  // Otherwise Node would answer these itself, before any check.
  server.on('checkContinue', (request, response) => listener(request, response, () => response.writeContinue()))
  server.on('checkExpectation', (request, response) => listener(request, response))
  // Neither an explanation nor a page for what is not a request.
  server.on('clientError', (_, socket) => socket.destroy())
  server.on('tlsClientError', (_, socket: Socket) => socket.destroy())
}

function bind(server: Server, port: number, listen: string): Promise<number | { readonly code: string }> {
  return new Promise((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => resolve({ code: error.code ?? error.message })
    server.once('error', fail)
    server.listen(port, listen, () => {
      server.off('error', fail)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : { code: 'no port' })
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
