// One live session with one server. It ends once, for one reason, and pending callers get that reason.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type {
  CallToolResult,
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitResult,
  Progress,
  Request,
  ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { type Clock, sleep } from '../../clock/clock.ts'
import type { Admission } from '../admission.ts'
import { type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { inCopy } from '../folder/copied-program.ts'
import { mcpLimits } from '../limits.ts'
import type { SessionPorts } from '../ports.ts'
import { rootsOf } from '../roots.ts'
import { toMcpFailure, withRefusedHosts } from './explain.ts'
import { httpTransport } from './http-transport.ts'
import type { ServerLog } from './log.ts'
import { grantRemedy, type RefusedHosts, refusalText, refusedHosts } from './refused-hosts.ts'
import { loadSdk, type Sdk } from './sdk.ts'
import { stdioTransport } from './stdio-transport.ts'

export interface Connection {
  readonly server_name: string | null
  readonly server_version: string | null
  readonly protocol_version: string | null
  /** What the server says about itself. Untrusted. */
  readonly instructions: string
  readonly capabilities: ServerCapabilities
  /** Resolves when the session has ended, with the reason. */
  readonly lost: Promise<McpFailure>
  /** Whether the session has ended. */
  isOver(): boolean
  ping(): Promise<McpOutcome<true>>
  /** Resolves when a server that asked for its roots has had time to process them: until then it refuses every path. */
  rootsTaken(signal: AbortSignal): Promise<void>
  /** Every page of a list, as the server sent it, all within the time of one request. */
  list(method: ListMethod, signal: AbortSignal | null): Promise<McpOutcome<readonly unknown[]>>
  ask(request: Request, signal: AbortSignal): Promise<McpOutcome<Record<string, unknown>>>
  callTool(name: string, input: unknown, listening: CallListeners): Promise<McpOutcome<CallToolResult>>
  /** `failure`: the reason for pending callers. */
  close(failure?: McpFailure): Promise<void>
}

const listKeys = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const
export type ListMethod = keyof typeof listKeys

export interface CallListeners {
  readonly signal: AbortSignal
  onProgress(progress: Progress): void
  onRefusedHost(host: string): void
  /** The server asks the user something. */
  onElicit(params: ElicitRequestFormParams): Promise<ElicitResult>
  /** The server asks the model something. */
  onSample(params: CreateMessageRequest['params'], signal: AbortSignal): Promise<CreateMessageResult>
}

export interface ConnectionListeners {
  toolsChanged(): void
  /** The transport reported an error; the session may or may not survive it. */
  stumbled(): void
}

type ConnectionPorts = Pick<
  SessionPorts,
  'clock' | 'version' | 'place' | 'commandsFor' | 'networkFor' | 'environmentFor' | 'authorizerFor' | 'folders'
>

/** Our own clock decides about timeouts; the SDK's timers are disabled. */
const never = 2 ** 31 - 1

export async function openConnection(
  admitted: Admission,
  ports: ConnectionPorts,
  log: ServerLog,
  listeners: ConnectionListeners,
  signal: AbortSignal,
): Promise<McpOutcome<Connection>> {
  const admission = inCopy(admitted, ports.folders.folderOf(admitted.server.server_id), ports.place.workspace)
  const { server_id } = admission.server
  const sdk = await loadSdk()
  log.hide(admission.hidden)
  const samplingLimit = admission.consent.sampling_limit ?? 0
  const client = new sdk.Client(
    { name: 'tandem', version: ports.version },
    {
      // A session stays in its workspace: its roots never change.
      capabilities: { roots: {}, elicitation: {}, ...(samplingLimit > 0 ? { sampling: {} } : {}) },
      // The SDK would compile untrusted patterns and run them on untrusted text.
      jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
    },
  )
  let over: McpFailure | null = null
  let ended: (failure: McpFailure) => void = () => undefined
  const lost = new Promise<McpFailure>((resolve) => {
    ended = resolve
  })
  let phase: 'handshake' | 'session' = 'handshake'
  const { server, consent } = admission
  const refused = refusedHosts((host) =>
    log.write('tandem', `${refusalText(server_id, [host])}. ${grantRemedy({ server_id, network_hosts: consent.network_hosts }, [host])}`),
  )
  const context = () => ({ sdk, server, network_hosts: consent.network_hosts, log, phase, refused: refused.all() })
  let transport: Transport
  try {
    transport = transportFor(admission, ports, sdk, log, refused)
  } catch (error) {
    return mcpFailed(toMcpFailure(error, { ...context(), transport: null }))
  }
  const told = (error: unknown) => {
    const failure = toMcpFailure(error, { ...context(), transport })
    return { ...failure, message: log.conceal(failure.message) }
  }

  function end(failure: McpFailure): void {
    if (over) return
    over = failure
    ended(failure)
  }

  client.onclose = () => end(told(null))
  client.onerror = (error) => {
    log.write('tandem', error.message.slice(0, mcpLimits.log_line))
    if (!over) listeners.stumbled()
  }
  let askedForRoots = false
  client.setRequestHandler(sdk.types.ListRootsRequestSchema, () => {
    askedForRoots = true
    return { roots: rootsOf(admission.server, ports.place) }
  })
  const inFlight = new Set<CallListeners>()
  /** A request of a server does not say which call it belongs to. */
  function onlyCall(method: string): CallListeners {
    const [call, other] = inFlight
    if (call && !other) return call
    const why = call ? 'several calls are in progress' : 'no call is in progress'
    log.write('tandem', `${method} was refused: ${why}`)
    throw new sdk.types.McpError(sdk.types.ErrorCode.InvalidRequest, `${method} is refused: ${why}`)
  }
  client.setRequestHandler(sdk.types.ElicitRequestSchema, async ({ params }) => {
    if (!('requestedSchema' in params)) return { action: 'decline' }
    return onlyCall('elicitation/create').onElicit(params)
  })
  if (samplingLimit > 0) {
    client.setRequestHandler(sdk.types.CreateMessageRequestSchema, async ({ params }, extra) => {
      return onlyCall('sampling/createMessage').onSample(params, extra.signal)
    })
  }
  client.setNotificationHandler(sdk.types.ToolListChangedNotificationSchema, () => listeners.toolsChanged())
  client.setNotificationHandler(sdk.types.LoggingMessageNotificationSchema, ({ params }) => {
    const text = typeof params.data === 'string' ? params.data : JSON.stringify(params.data)
    log.write('server', `${params.level}: ${text.slice(0, mcpLimits.log_line)}`)
  })
  client.fallbackRequestHandler = async ({ method }) => {
    log.write('tandem', `${method} was refused`)
    throw new sdk.types.McpError(sdk.types.ErrorCode.MethodNotFound, refusalOf(method))
  }

  async function bounded<Value>(
    ms: number | null,
    outer: AbortSignal | null,
    send: (signal: AbortSignal) => Promise<Value>,
  ): Promise<McpOutcome<Value>> {
    if (over) return mcpFailed({ ...over, begun: 'no' })
    return withDeadline(
      ports.clock,
      ms,
      outer,
      send,
      (error, why) => why ?? (over && over.reason_code !== 'disconnected' ? over : told(error)),
      server_id,
    )
  }

  const options = (within: AbortSignal) => ({ signal: within, timeout: never })
  const opened = await bounded(mcpLimits.start_ms, signal, (within) => client.connect(transport, options(within)))
  if (!opened.ok) {
    await transport.close()
    const { failure } = opened
    if (failure.reason_code !== 'timed_out') return mcpFailed(failure)
    const message = `${server_id} did not finish its handshake within ${mcpLimits.start_ms / 1_000} s`
    const late = mcpFailure('start_timed_out', server_id, message, { facts: [{ name: 'log', value: log.tail() }] })
    return mcpFailed(withRefusedHosts(late, context()))
  }

  phase = 'session'
  const about = client.getServerVersion()
  const connection: Connection = {
    server_name: line(about?.title ?? about?.name),
    server_version: line(about?.version),
    protocol_version: line(protocolOf(transport)),
    instructions: client.getInstructions() ?? '',
    capabilities: client.getServerCapabilities() ?? {},
    lost,
    isOver: () => over !== null,
    async ping() {
      const answer = await bounded(mcpLimits.ping_ms, null, (within) => client.ping(options(within)))
      return answer.ok ? mcpSuccess(true) : answer
    },
    async rootsTaken(outer) {
      const until = ports.clock.elapsed() + mcpLimits.ping_ms
      // A server does not report when it is done. It checks a few folders, which takes a moment, and responds to pings in between.
      for (let turn = 0; askedForRoots && turn < mcpLimits.root_turns; turn += 1) {
        const left = Math.max(0, until - ports.clock.elapsed())
        if (!(await bounded(left, outer, (within) => client.ping(options(within)))).ok) return
        await sleep(ports.clock, mcpLimits.root_turn_ms)
      }
    },
    async list(method, outer) {
      // A server that does not declare a list has none. Tools are always requested: they are what a server is for.
      const { resources, prompts } = connection.capabilities
      if (method !== 'tools/list' && !(method === 'prompts/list' ? prompts : resources)) return mcpSuccess([])
      const until = ports.clock.elapsed() + mcpLimits.request_ms
      const found: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < mcpLimits.pages && found.length <= mcpLimits.tools; page += 1) {
        const params = cursor === undefined ? {} : { cursor }
        const answer = await bounded(Math.max(0, until - ports.clock.elapsed()), outer, (within) =>
          client.request({ method, params } as Request, sdk.types.ResultSchema, options(within)),
        )
        if (!answer.ok) return answer
        const items = answer.value[listKeys[method]]
        if (!Array.isArray(items))
          return mcpFailed(mcpFailure('malformed_result', server_id, `the response to ${method} has no ${listKeys[method]}`))
        found.push(...items.slice(0, mcpLimits.tools + 1))
        const { nextCursor } = answer.value
        if (typeof nextCursor !== 'string' || nextCursor === cursor) break
        cursor = nextCursor
      }
      return mcpSuccess(found)
    },
    ask(request, outer) {
      return bounded(mcpLimits.request_ms, outer, (within) => client.request(request, sdk.types.ResultSchema, options(within)))
    },
    async callTool(name, input, listening) {
      const { signal: outer, onProgress, onRefusedHost } = listening
      const request = { method: 'tools/call', params: { name, arguments: input as Record<string, unknown> } }
      // The timeout of a call is that of its policy; the pipeline's signal ends it.
      const stopListening = refused.listen(onRefusedHost)
      inFlight.add(listening)
      return bounded(null, outer, (within) =>
        client.request(request, sdk.types.CallToolResultSchema, { ...options(within), onprogress: onProgress }),
      ).finally(() => {
        inFlight.delete(listening)
        stopListening()
      })
    },
    async close(failure) {
      end(failure ?? mcpFailure('disconnected', server_id, `${server_id} was disconnected`, { begun: 'unknown' }))
      if ('terminateSession' in transport && typeof transport.terminateSession === 'function') {
        await heard(ports.clock, transport.terminateSession())
      }
      await client.close()
    },
  }
  return mcpSuccess(connection)
}

function transportFor(admission: Admission, ports: ConnectionPorts, sdk: Sdk, log: ServerLog, refused: RefusedHosts): Transport {
  const { server, consent } = admission
  if (server.transport === 'http') {
    const { headers, query } = admission
    const isAuthorized = server.header_names.some((name) => name.toLowerCase() === 'authorization')
    return httpTransport({
      sdk,
      server_id: server.server_id,
      network: ports.networkFor(server, consent, ports.place),
      url: server.url,
      headers,
      query,
      authorizer: isAuthorized ? null : ports.authorizerFor(server),
      onToken: (token) => log.hide(new Map([[token, 'access token']])),
    })
  }
  return stdioTransport({
    commands: ports.commandsFor(server, consent, ports.place, refused.note),
    argv: [server.command, ...server.args],
    cwd: server.working_directory ?? ports.place.workspace,
    env: { ...ports.environmentFor(server, ports.place), ...admission.env },
    log,
    parse: (value) => sdk.types.JSONRPCMessageSchema.parse(value),
  })
}

/**
 * A request with a deadline on our clock. Both listeners are removed when it settles: the signal of a long run must not collect listeners.
 */
async function withDeadline<Value>(
  clock: Clock,
  ms: number | null,
  outer: AbortSignal | null,
  send: (signal: AbortSignal) => Promise<Value>,
  explainIt: (error: unknown, why: McpFailure | null) => McpFailure,
  subject: string,
): Promise<McpOutcome<Value>> {
  const within = new AbortController()
  let why: McpFailure | null = null
  const stop = (failure: McpFailure) => {
    why ??= failure
    within.abort(failure.message)
  }
  const cancel = () => stop(mcpFailure('canceled', subject, `the request to ${subject} was canceled`, { begun: 'unknown' }))
  if (outer?.aborted) return mcpFailed(mcpFailure('canceled', subject, `the request to ${subject} was canceled`))
  outer?.addEventListener('abort', cancel, { once: true })
  const late = `${subject} did not respond within ${(ms ?? 0) / 1_000} s`
  const clear = ms === null ? null : clock.after(ms, () => stop(mcpFailure('timed_out', subject, late, { begun: 'unknown' })))
  try {
    return mcpSuccess(await Promise.race([send(within.signal), aborted(within.signal)]))
  } catch (error) {
    return mcpFailed(explainIt(error, why))
  } finally {
    outer?.removeEventListener('abort', cancel)
    clear?.()
  }
}

/** A transport that hangs while starting does not react to the SDK's signal. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

/** A notification at the end: two seconds at most, and it may fail. */
function heard(clock: Clock, farewell: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const clear = clock.after(2_000, resolve)
    void farewell
      .catch(() => undefined)
      .finally(() => {
        clear()
        resolve()
      })
  })
}

function refusalOf(method: string): string {
  if (method === 'sampling/createMessage') return 'sampling/createMessage is refused: the user has not allowed this server to use the model'
  return `${method} is not supported by Tandem`
}

function protocolOf(transport: Transport): string | undefined {
  return 'protocolVersion' in transport && typeof transport.protocolVersion === 'string' ? transport.protocolVersion : undefined
}

function line(text: string | undefined): string | null {
  return text ? text.replace(/\s+/g, ' ').slice(0, 500) : null
}
