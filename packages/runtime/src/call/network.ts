// The network as one call may use it.
import type { CallScope } from './scope.ts'

export interface NetworkRequest {
  readonly url: string
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** The number of bytes of the decoded body to read; if there are more, `truncated` is set. */
  readonly max_bytes: number
  /** How many redirects are followed. If 0, a redirect is returned like any other response. */
  readonly redirects: number
}

export interface NetworkResponse {
  /** The address of the response, after redirects. */
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated headers are joined by a comma, cookies by a newline. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly truncated: boolean
  readonly redirected_from: readonly string[]
  /** The target of a redirect that was not followed: what is sent to one host is not sent on to another. */
  readonly redirect_stopped?: string
}

export interface ScopedNetwork extends StreamingNetwork {
  request(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse>
  /** A proxy on loopback that allows what the scope of this call allows; for programs that open their own connections. */
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

/** A scoped network with streamed responses: the event stream of an MCP server stays open for hours. Redirects are returned, never followed. */
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
  /** Contains the credential as user name and password. */
  readonly url: string
  /** The last thousand refused requests, oldest first. */
  readonly refused: readonly ProxyRefusal[]
  /** Applies this scope from now on. Connections that it does not allow are closed. */
  setScope(scope: CallScope): void
  close(): Promise<void>
}
