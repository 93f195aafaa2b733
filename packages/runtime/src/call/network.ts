// The network as one call may use it.
import type { CallScope } from './scope.ts'

export interface NetworkRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** How much of the decoded body is read; the rest is left and `truncated` says so. */
  readonly max_bytes: number
  /** How many redirects are followed. With none a redirect is an answer like any other. */
  readonly redirects: number
}

export interface NetworkResponse {
  /** Where the answer came from, after redirects. */
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated ones joined by a comma, cookies by a new line. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly redirected_from: readonly string[]
  /** Where the answer leads on to, when that was not followed: what is sent to one host does not go to another. */
  readonly redirect_stopped?: string
}

export interface ScopedNetwork extends StreamingNetwork {
  request(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse>
  /** A proxy on loopback that lets through what this call's scope allows; for programs that connect by themselves. */
  openProxy(): Promise<FilteringProxy>
}

export interface StreamRequest {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface StreamResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadableStream<Uint8Array> | null
}

/** A scoped network whose answers flow: an MCP server's event stream stays open for hours. Redirects are answers, never followed. */
export interface StreamingNetwork {
  stream(request: StreamRequest, signal: AbortSignal): Promise<StreamResponse>
}

export interface ProxyRefusal {
  readonly host: string
  readonly port: number
  readonly reason_code: string
  readonly message: string
  readonly blocked_by?: 'policy' | 'sandbox'
}

export interface FilteringProxy {
  /** With the credential as user name and password. */
  readonly url: string
  /** What was refused, oldest first; the last thousand. */
  readonly refused: readonly ProxyRefusal[]
  /** From now on this scope counts. Connections it would not have allowed end. */
  actFor(scope: CallScope): void
  close(): Promise<void>
}
