// Converts an error of the SDK, the process or our own restrictions to a failure.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpServer } from '@tandem/contract/mcp'
import { systemErrorText } from '@tandem/contract/system-error'
import type { CommandExit } from '../../call/commands.ts'
import { Refused } from '../../call/failure.ts'
import { type McpFailure, mcpFailure } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import { MessageTooLarge, RequestRefused } from './http-transport.ts'
import { lastWords } from './last-words.ts'
import type { ServerLog } from './log.ts'
import { grantRemedy, refusalText } from './refused-hosts.ts'
import type { Sdk } from './sdk.ts'
import type { StdioEnding } from './stdio-transport.ts'

export interface ErrorContext {
  readonly sdk: Sdk
  readonly server: McpServer
  readonly log: ServerLog
  readonly transport: Transport | null
  /** Whether the handshake is over: the same status means something else after it. */
  readonly phase: 'handshake' | 'session'
  /** Hosts that the user allowed, and those that the program tried to reach in spite of that. */
  readonly network_hosts: readonly string[]
  readonly refused: readonly string[]
}

/** `null` means that the connection closed. */
export function toMcpFailure(error: unknown, context: ErrorContext): McpFailure {
  const { sdk, server, log, transport, phase } = context
  const { server_id } = server
  const ending = endingOf(transport)
  const facts = [{ name: 'log', value: log.tail() }]
  if (ending?.kind === 'exited') {
    const why = lastWords(log.lines('stderr'))
    const message = `${server_id} exited: ${exitWords(ending.exit)}${why === null ? '' : `: ${why}`}`
    // The exit codes of shells and sandboxes for a program that is missing or not executable: starting it again would not help.
    if (ending.exit.code === 126 || ending.exit.code === 127) return mcpFailure('start_failed', server_id, message, { facts })
    const remedy = phase === 'handshake' ? { remedy: 'Check its message and its log: it may need an argument, a variable or a host.' } : {}
    return withRefusedHosts(mcpFailure('server_exited', server_id, message, { begun: 'unknown', facts, ...remedy }), context)
  }
  if (ending?.kind === 'overflow') return tooLarge(server_id)
  if (error === null) {
    return mcpFailure('disconnected', server_id, `the connection to ${server_id} was closed`, { begun: 'unknown' })
  }
  const cause = causeOf(error)
  if (cause instanceof Refused) {
    const { subject, remedy, blocked_by } = cause.facts
    if (cause.reason_code === 'address_forbidden' && subject !== undefined) {
      const [, address = subject] = /resolves to (\S+),/.exec(cause.message) ?? []
      const port = subject.slice(subject.lastIndexOf(':'))
      const host = address === subject ? subject : `${address.includes(':') ? `[${address}]` : address}${port}`
      return mcpFailure('host_refused', subject, cause.message, { blocked_by, remedy: grantRemedy(granted(context), [host]) })
    }
    const reason = cause.reason_code === 'sandbox_unavailable' ? cause.reason_code : 'start_refused'
    return mcpFailure(reason, subject ?? server_id, cause.message, { blocked_by, ...(remedy === undefined ? {} : { remedy }) })
  }
  if (cause instanceof MessageTooLarge) return tooLarge(server_id)
  if (cause instanceof RequestRefused) return cause.failure
  if (cause instanceof sdk.StreamableHTTPError || cause instanceof sdk.SseError) return httpFailure(cause.code ?? 0, cause.message, context)
  if (cause instanceof sdk.types.McpError) {
    // Servers use the same number for errors of their own.
    if (cause.code === sdk.types.ErrorCode.ConnectionClosed && cause.message.endsWith(': Connection closed')) {
      return mcpFailure('disconnected', server_id, `the connection to ${server_id} was closed`, { begun: 'unknown' })
    }
    return mcpFailure('rejected', server_id, `${server_id} refused the request: ${cause.message}`, { begun: 'unknown' })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  if (cause instanceof Error && cause.name === 'ZodError') {
    return mcpFailure('malformed_result', server_id, `${server_id} sent a response that does not match the protocol`, {
      begun: 'unknown',
      facts: [{ name: 'fault', value: message.slice(0, 2_000) }],
    })
  }
  if (/protocol version/i.test(message)) return mcpFailure('handshake_failed', server_id, message)
  const why = systemErrorText(cause, message)
  if (transport && 'ending' in transport)
    return mcpFailure('start_failed', server_id, `${server_id} could not be started: ${why}`, { facts })
  return mcpFailure('unreachable', server_id, `${server_id} cannot be reached: ${why}`, { begun: isUnsent(cause) ? 'no' : 'unknown' })
}

/** A program that could not reach a host seldom says so. Later, a refused host need not be the reason: many send statistics. */
export function withRefusedHosts(
  failure: McpFailure,
  context: Pick<ErrorContext, 'server' | 'network_hosts' | 'refused' | 'phase'>,
): McpFailure {
  const { server, refused, phase } = context
  if (refused.length === 0 || phase === 'session') return failure
  const message = `${failure.message}. ${refusalText(server.server_id, refused)}`
  return { ...failure, message, remedy: grantRemedy(granted(context), refused) }
}

function granted({ server: { server_id }, network_hosts }: Pick<ErrorContext, 'server' | 'network_hosts'>) {
  return { server_id, network_hosts }
}

function httpFailure(status: number, message: string, { server, phase }: ErrorContext): McpFailure {
  const { server_id } = server
  if (status === 401 || status === 403) {
    const names = server.transport === 'http' ? server.header_names : []
    const [name] = names.filter((each) => /auth|key|token/i.test(each))
    const remedy =
      name === undefined ? {} : { remedy: `Check the value of ${name}. Set it with: tandem mcp secret ${server_id} header ${name}` }
    return mcpFailure('needs_authorization', server_id, `${server_id} requires authorization (${status})`, remedy)
  }
  const fault = phase === 'handshake' ? addressFaults[status] : undefined
  if (fault !== undefined)
    return mcpFailure('handshake_failed', server_id, fault(server.transport === 'http' ? server.url : server_id), {
      remedy: 'Check the path of its address: most end in /mcp or /sse. The documentation of the server names it.',
    })
  // A server that restarted does not know the session: it has not processed the request.
  if (status === 404 || status === 400)
    return mcpFailure('session_expired', server_id, `${server_id} does not know the session or the address (${status})`)
  return mcpFailure('http_error', server_id, message.slice(0, 2_000), { begun: 'unknown' })
}

/** Both transports were tried. -1: the response was neither JSON nor an event stream. */
const addressFaults: Readonly<Record<number, ((url: string) => string) | undefined>> = {
  [-1]: (url) => `there is no MCP server at ${url}: it responds with something else`,
  400: (url) => `${url} refused the handshake (400)`,
  404: (url) => `there is no MCP server at ${url} (404)`,
  405: (url) => `${url} does not accept MCP messages (405)`,
  406: (url) => `${url} does not accept MCP messages (406)`,
  410: (url) => `there is no MCP server at ${url} any more (410)`,
  415: (url) => `${url} does not accept MCP messages (415)`,
}

function tooLarge(server_id: string): McpFailure {
  const message = `${server_id} sent a message longer than ${mcpLimits.message_bytes} bytes`
  return mcpFailure('message_too_large', server_id, message, { begun: 'unknown' })
}

function endingOf(transport: Transport | null): StdioEnding | null {
  if (!transport || !('ending' in transport) || typeof transport.ending !== 'function') return null
  return transport.ending() as StdioEnding | null
}

function exitWords({ code, signal }: CommandExit): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`
}

/** fetch wraps the actual error. */
function causeOf(error: unknown): unknown {
  let cause = error
  for (let depth = 0; depth < 5 && cause instanceof Error && !(cause instanceof Refused) && cause.cause instanceof Error; depth += 1)
    cause = cause.cause
  return cause
}

function isUnsent(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH'
}
