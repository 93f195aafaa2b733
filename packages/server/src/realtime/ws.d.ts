// What we use of `ws`, which ships no types of its own.
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { ClientRequest, ClientRequestArgs, IncomingMessage } from 'node:http'

  export interface SendOptions {
    binary?: boolean
    compress?: boolean
  }

  export interface ClientOptions extends ClientRequestArgs {
    origin?: string
    perMessageDeflate?: boolean
  }

  export interface ServerOptions {
    host?: string
    port?: number
    maxPayload?: number
    perMessageDeflate?: boolean
    /** Milliseconds that a closing socket waits for the other side. */
    closeTimeout?: number
    handleProtocols?: (protocols: Set<string>, request: IncomingMessage) => string | false
    WebSocket?: typeof WebSocket
  }

  interface Events {
    open: []
    message: [data: Buffer, isBinary: boolean]
    ping: [data: Buffer]
    pong: [data: Buffer]
    close: [code: number, reason: Buffer]
    error: [error: Error]
    'unexpected-response': [request: ClientRequest, response: IncomingMessage]
  }

  export class WebSocket extends EventEmitter<Events> {
    static readonly OPEN: 1
    constructor(address: string, protocols?: readonly string[], options?: ClientOptions)
    readonly bufferedAmount: number
    readonly protocol: string
    readonly readyState: 0 | 1 | 2 | 3
    close(code?: number, reason?: string): void
    pause(): void
    resume(): void
    ping(data?: Buffer | string): void
    send(data: Buffer | string, callback?: (error?: Error) => void): void
    send(data: Buffer | string, options: SendOptions, callback?: (error?: Error) => void): void
    terminate(): void
  }

  export class WebSocketServer extends EventEmitter<{ connection: [socket: WebSocket, request: IncomingMessage]; listening: [] }> {
    constructor(options: ServerOptions)
    readonly clients: Set<WebSocket>
    address(): { port: number }
    close(callback?: (error?: Error) => void): void
  }

  export { WebSocketServer as Server }
}
