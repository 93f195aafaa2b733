// Keeps one server alive, independently of runs: a dead server costs a run one clear error, never its time.
import type { CallToolResult, Progress, Request } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer, McpServerStatus, McpTool } from '@tandem/contract/mcp'
import { timestamp } from '../../clock/clock.ts'
import { type Admission, admit } from '../admission.ts'
import { definitionSha256 } from '../definition.ts'
import { isSignInNeeded, type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import type { SessionPorts } from '../ports.ts'
import { type ListingProblem, readListing, type ToolListing } from '../tool/tool-list.ts'
import { reconnectDelay } from './backoff.ts'
import { type CallListeners, type Connection, type ListMethod, openConnection } from './connection.ts'
import { type Heartbeat, startHeartbeat } from './heartbeat.ts'
import { type ServerLog, serverLog } from './log.ts'
import { serverState } from './server-state.ts'

export interface ToolCallRequest extends Pick<CallListeners, 'onElicit' | 'onSample'> {
  /** The tool as it was when the call was approved. */
  readonly tool: McpTool
  readonly input: unknown
  readonly signal: AbortSignal
  onProgress(progress: Progress): void
  /** Its program tried to reach a host that is not allowed. */
  onRefusedHost(host: string): void
}

export interface Supervisor {
  readonly log: ServerLog
  status(): McpServerStatus
  /** Whether its user wants it connected. */
  isWanted(): boolean
  listing(): ToolListing
  tool(name: string): McpTool | undefined
  /** What the server says about itself; empty while it is not connected. */
  instructions(): string
  /** Connects the server from now on, and reconnects whenever the connection is lost. */
  connect(): Promise<McpOutcome<McpServerStatus>>
  /** Tests the server and leaves it as it was. */
  test(): Promise<McpOutcome<McpServerStatus>>
  /** Disconnects it from now on. */
  disconnect(): Promise<McpServerStatus>
  refresh(): Promise<McpOutcome<ToolListing>>
  list(method: ListMethod): Promise<McpOutcome<readonly unknown[]>>
  ask(request: Request, signal: AbortSignal): Promise<McpOutcome<Record<string, unknown>>>
  call(request: ToolCallRequest): Promise<McpOutcome<CallToolResult>>
  /** The definition, the approval or a secret has changed. */
  redefined(): Promise<void>
}

const stableAfter = mcpLimits.reconnect_longest_ms

export function superviseServer(
  server_id: string,
  definition: () => McpServer | undefined,
  ports: SessionPorts,
  log = serverLog(ports.clock),
): Supervisor {
  const { clock } = ports
  const state = serverState(server_id, ports)
  let wanted = false
  let connection: Connection | null = null
  let opening: { readonly result: Promise<McpOutcome<Connection>>; readonly stop: AbortController } | null = null
  let heartbeat: Heartbeat | null = null
  let cancelRetry: (() => void) | null = null
  let cancelRefresh: (() => void) | null = null
  let failures = 0
  let connectedAt = 0
  let callsUnderWay = 0
  /** The last call was given up without a response: it may be slow, or the server may hang. */
  let unanswered = false
  /** What the session was opened with; the same again needs no new session. */
  let openedWith = ''
  /** How many times a new definition ended a session. */
  let redefinitions = 0
  let listing: ToolListing = { tools: [], problems: [] }

  /** The session of the latest definition: if a new definition ends an attempt, the next attempt follows. */
  async function openLatest(): Promise<McpOutcome<Connection>> {
    const before = redefinitions
    const opened = await open()
    return opened.ok || !wanted || redefinitions === before ? opened : openLatest()
  }

  function open(): Promise<McpOutcome<Connection>> {
    if (connection) return Promise.resolve(mcpSuccess(connection))
    // If an attempt is being canceled, wait for it: this request came later.
    if (opening) return opening.stop.signal.aborted ? opening.result.then(open) : opening.result
    forgetRetry()
    const server = definition()
    const admission = server ? admit(server, ports) : mcpFailed(mcpFailure('unknown_server', server_id, `there is no server ${server_id}`))
    if (!admission.ok) {
      state.note({ next_reconnect_at: null }, admission.failure)
      return Promise.resolve(admission)
    }
    const stop = new AbortController()
    opening = { result: attempt(admission.value, stop.signal), stop }
    return opening.result
  }

  async function attempt(admission: Admission, signal: AbortSignal): Promise<McpOutcome<Connection>> {
    state.move('test', { next_reconnect_at: null })
    openedWith = openingKey(admission)
    const listeners = { toolsChanged: refreshSoon, stumbled: () => heartbeat?.hurry() }
    const opened = await openConnection(admission, ports, log, listeners, signal)
    const listed = opened.ok ? await listTools(opened.value, signal) : opened
    if (opened.ok && listed.ok) await opened.value.rootsTaken(signal)
    const lost = opened.ok && opened.value.isOver() ? await opened.value.lost : null
    const usable = opened.ok && listed.ok && lost === null && !signal.aborted
    if (opened.ok && !usable) await opened.value.close()
    // Together with the transition: otherwise a caller could see one without the other.
    opening = null
    if (usable) {
      enter(opened.value, listed.value)
      return opened
    }
    if (signal.aborted) {
      state.move('disconnect')
      return mcpFailed(disconnected())
    }
    const failure = !opened.ok ? opened.failure : !listed.ok ? listed.failure : (lost ?? disconnected())
    failures += 1
    state.move('fail', { reconnect_attempts: failures, ...retry(failure) }, failure)
    return mcpFailed(failure)
  }

  function enter(opened: Connection, listed: ToolListing): void {
    const { server_name, server_version, protocol_version } = opened
    connection = opened
    unanswered = false
    connectedAt = clock.elapsed()
    const heartbeat_at = timestamp(clock.now())
    state.move('connect', { server_name, server_version, protocol_version, heartbeat_at, missed_pings: 0, reconnect_attempts: 0 })
    adopt(listed)
    heartbeat = startHeartbeat(clock, {
      async ping() {
        const answer = await opened.ping()
        if (!answer.ok && isGone(answer.failure)) void endLostSession(opened, answer.failure)
        return answer.ok
      },
      answered() {
        state.note({ heartbeat_at: timestamp(clock.now()), missed_pings: 0 })
        if (state.read().state === 'degraded') state.move('recover')
      },
      missed(count) {
        state.note({ missed_pings: count })
        // Many servers do one thing at a time and cannot respond during a call: then the limit of the call applies.
        const hung = count >= mcpLimits.lost_after && callsUnderWay === 0
        if (hung) void endLostSession(opened, mcpFailure('server_hung', server_id, `${server_id} no longer responds`, { begun: 'unknown' }))
        else if (count >= mcpLimits.degraded_after && state.read().state === 'connected') state.move('miss_pings')
      },
    })
    void opened.lost.then((failure) => leave(opened, failure))
  }

  /** Ends a session that does not end by itself. */
  async function endLostSession(opened: Connection, failure: McpFailure): Promise<void> {
    leave(opened, failure)
    await opened.close(failure)
  }

  function leave(opened: Connection, failure: McpFailure): void {
    if (connection !== opened) return
    connection = null
    heartbeat?.stop()
    heartbeat = null
    cancelRefresh?.()
    cancelRefresh = null
    failures = clock.elapsed() - connectedAt >= stableAfter ? 0 : failures
    const facts = wanted ? { reconnect_attempts: failures, ...retry(failure) } : { next_reconnect_at: null }
    failures += 1
    state.move('disconnect', facts, wanted ? failure : null)
  }

  /** Schedules the next attempt, if one would help. */
  function retry(failure: McpFailure): { next_reconnect_at: string | null } {
    const server = definition()
    const helps = failure.recoverability !== 'user_action' || failure.reason_code === 'disconnected'
    if (!wanted || !server?.auto_reconnect || !helps) return { next_reconnect_at: null }
    const ms = reconnectDelay(failures, ports.random())
    cancelRetry = clock.after(ms, () => {
      cancelRetry = null
      if (wanted && !connection) void open()
    })
    return { next_reconnect_at: timestamp(clock.now() + ms) }
  }

  function forgetRetry(): void {
    cancelRetry?.()
    cancelRetry = null
  }

  async function listTools(from: Connection, signal: AbortSignal | null): Promise<McpOutcome<ToolListing>> {
    if (!from.capabilities.tools) return mcpSuccess({ tools: [], problems: [] })
    const listed = await from.list('tools/list', signal)
    if (!listed.ok) return listed
    const approvedFingerprint = (tool: string) => ports.consents.toolFingerprint(tool)
    return mcpSuccess(readListing(listed.value, { server_id, refreshed_at: timestamp(clock.now()), approvedFingerprint }))
  }

  function adopt(listed: ToolListing): void {
    const before = signature(listing)
    const known = new Set(listing.problems.map(leftOut))
    for (const words of new Set(listed.problems.map(leftOut))) if (!known.has(words)) log.write('tandem', words)
    listing = listed
    state.note({ tool_count: listed.tools.length })
    if (signature(listed) === before) return
    state.announce(listed.tools.map(({ tool }) => tool))
    ports.toolsChanged(server_id)
  }

  function refreshSoon(): void {
    cancelRefresh ??= clock.after(mcpLimits.refresh_gap_ms, () => {
      cancelRefresh = null
      void refresh()
    })
  }

  async function refreshNow(): Promise<void> {
    cancelRefresh?.()
    cancelRefresh = null
    await refresh()
  }

  async function refresh(): Promise<McpOutcome<ToolListing>> {
    const opened = await ready()
    if (!opened.ok) return opened
    const listed = await listTools(opened.value, null)
    if (listed.ok && connection === opened.value) adopt(listed.value)
    return listed
  }

  /** The existing session, or a new one immediately: a caller does not wait for the timer. */
  async function ready(signal?: AbortSignal): Promise<McpOutcome<Connection>> {
    if (connection) return mcpSuccess(connection)
    if (!wanted) return mcpFailed(state.failure() ?? disconnected())
    if (!definition()?.auto_reconnect && !opening) return mcpFailed(disconnected())
    if (!signal) return openLatest()
    const given = new AbortController()
    return Promise.race([openLatest(), canceled(signal, given.signal, server_id)]).finally(() => given.abort())
  }

  function disconnected(): McpFailure {
    return mcpFailure('disconnected', server_id, `${server_id} is disconnected`)
  }

  async function call(request: ToolCallRequest, repeated: 'no' | 'yes'): Promise<McpOutcome<CallToolResult>> {
    const opened = await ready(request.signal)
    if (!opened.ok) return opened
    if (unanswered && callsUnderWay === 0 && !(await isAlive(opened.value))) return call(request, repeated)
    // The server announced that its tools changed: no call is made with the old ones.
    if (cancelRefresh) await refreshNow()
    const problem = toolProblem(request.tool)
    if (problem) return mcpFailed(problem)
    callsUnderWay += 1
    const answer = await opened.value.callTool(request.tool.remote_name, request.input, request)
    callsUnderWay -= 1
    if (answer.ok) return answer
    const { failure } = answer
    unanswered ||= failure.reason_code === 'canceled'
    const gone = isGone(failure)
    if (gone) await endLostSession(opened.value, failure)
    const helps = gone && failure.begun === 'no' && !isSignInNeeded(failure.reason_code)
    return helps && repeated === 'no' ? call(request, 'yes') : answer
  }

  /** A caller that got no response may call again immediately, and must not wait for a server that hangs: such a server is restarted. */
  async function isAlive(opened: Connection): Promise<boolean> {
    const answer = await opened.ping()
    unanswered = false
    if (answer.ok) return true
    await endLostSession(opened, mcpFailure('server_hung', server_id, `${server_id} no longer responds`, { begun: 'unknown' }))
    return false
  }

  /** Checked after a reconnect, just before the call: what runs is what was approved. */
  function toolProblem({ tool, fingerprint }: McpTool): McpFailure | null {
    const current = listing.tools.find((each) => each.tool === tool)
    if (!current) return mcpFailure('tool_missing', tool, `${server_id} no longer offers ${tool}`)
    if (current.fingerprint !== fingerprint)
      return mcpFailure('tool_changed', tool, `${tool} has changed since it was approved`, { blocked_by: 'policy' })
    if (ports.consents.toolFingerprint(tool) === fingerprint) return null
    return mcpFailure('tool_not_approved', tool, `the current version of ${tool} is not approved`, { blocked_by: 'policy' })
  }

  /** A tool may have been approved since it was listed. */
  function asConsented(tool: McpTool): McpTool {
    return { ...tool, approved_fingerprint: ports.consents.toolFingerprint(tool.tool) ?? null }
  }

  async function stop(): Promise<void> {
    forgetRetry()
    state.note({ next_reconnect_at: null })
    if (opening) {
      opening.stop.abort()
      await opening.result
    }
    const closing = connection
    if (!closing) return
    leave(closing, disconnected())
    await closing.close()
  }

  return {
    log,
    status: () => state.read(),
    isWanted: () => wanted,
    listing: () => ({ ...listing, tools: listing.tools.map(asConsented) }),
    instructions: () => connection?.instructions ?? '',
    tool(name) {
      const found = listing.tools.find(({ tool }) => tool === name)
      return found && asConsented(found)
    },
    async connect() {
      wanted = true
      const opened = await openLatest()
      return opened.ok ? mcpSuccess(state.read()) : opened
    },
    async test() {
      if (connection) {
        const answer = await connection.ping()
        return answer.ok ? mcpSuccess(state.read()) : answer
      }
      const opened = await open()
      if (!opened.ok) return opened
      const tested = state.read()
      if (!wanted) await stop()
      return mcpSuccess(tested)
    },
    async disconnect() {
      wanted = false
      await stop()
      return state.read()
    },
    refresh,
    async list(method) {
      const opened = await ready()
      return opened.ok ? opened.value.list(method, null) : opened
    },
    async ask(request, signal) {
      const opened = await ready(signal)
      return opened.ok ? opened.value.ask(request, signal) : opened
    },
    call: (request) => call(request, 'no'),
    async redefined() {
      const server = definition()
      const admission = server ? admit(server, ports) : null
      failures = 0
      // Also while it connects: the cloud sends every definition back to the device that wrote it.
      const isUnderWay = connection !== null || (opening !== null && !opening.stop.signal.aborted)
      if (isUnderWay && admission?.ok && openingKey(admission.value) === openedWith) return
      redefinitions += 1
      await stop()
      if (!admission?.ok) state.note({}, admission ? admission.failure : null)
      else if (wanted) await open()
    },
  }
}

/** Nothing listens there, it does not know the session, or it does not accept the sign-in: asking again is pointless. */
function isGone({ reason_code }: McpFailure): boolean {
  return reason_code === 'session_expired' || reason_code === 'unreachable' || isSignInNeeded(reason_code)
}

function leftOut({ remote_name, title }: ListingProblem): string {
  return `the tool ${remote_name} is left out: ${title}`
}

function signature({ tools }: ToolListing): string {
  return tools.map(({ tool, fingerprint }) => `${tool} ${fingerprint}`).join('\n')
}

function openingKey({ server, consent, env, headers, query, signed_in_at }: Admission): string {
  const { network_hosts, sampling_limit = 0 } = consent
  return JSON.stringify([definitionSha256(server), network_hosts, sampling_limit > 0, env, headers, query, signed_in_at])
}

/** Listens until `over`: one signal may be used for many calls. */
function canceled(signal: AbortSignal, over: AbortSignal, server_id: string): Promise<McpOutcome<never>> {
  const answer = mcpFailed(mcpFailure('canceled', server_id, `waiting for ${server_id} was canceled`))
  if (signal.aborted) return Promise.resolve(answer)
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(answer), { once: true, signal: over }))
}
