// The sessions of one server. Its state is that of the session in the runtime's own workspace. Runs that work elsewhere or in strict mode,
// and calls whose policy allows the server less, get a separate session, which lives as long as it is used: no run can write into the
// folder of another through a server.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { McpServer } from '@tandem/contract/mcp'
import type { McpOutcome } from '../failure.ts'
import { mcpLimits } from '../limits.ts'
import type { SessionPorts, SessionScope, StateChange } from '../ports.ts'
import { sessionKey } from '../server-scope.ts'
import { type Supervisor, superviseServer, type ToolCallRequest } from './supervisor.ts'

export interface ServerSessions {
  readonly main: Supervisor
  /** A call of a run that works there. */
  call(place: SessionScope, request: ToolCallRequest): Promise<McpOutcome<CallToolResult>>
  /** The hosts that the user allowed. */
  network_hosts(): readonly string[]
  /** How many requests to the model the user allowed in one run. */
  samplingLimit(): number
  /** Ends all sessions but the main one; the next call there opens another. */
  endOthers(): Promise<void>
}

interface OtherSession {
  readonly supervisor: Supervisor
  calls: number
  isIdle: boolean
  cancelEnd: () => void
}

export function serverSessions(server_id: string, definition: () => McpServer | undefined, ports: SessionPorts): ServerSessions {
  const main = superviseServer(server_id, definition, {
    ...ports,
    emit(change) {
      ports.emit(change)
      tell(ports.place, change)
    },
  })
  const others = new Map<string, OtherSession>()

  function tell(place: SessionScope, change: StateChange): void {
    const { from_state, to_state } = change.data
    const server = definition()
    if (server && from_state !== to_state) ports.told(server, place, change)
  }

  function open(place: SessionScope): OtherSession {
    let begun = false
    function emit(change: StateChange): void {
      const { to_state } = change.data
      // Opening for a call and closing when idle is normal, and not reported.
      const isNews = !session.isIdle && (begun || (to_state !== 'testing' && to_state !== 'connected'))
      begun ||= to_state !== 'testing'
      if (isNews) tell(place, change)
    }
    const silent = { ...ports, place, emit, toolsChanged: () => undefined }
    const supervisor = superviseServer(server_id, definition, silent, main.log)
    const session: OtherSession = { supervisor, calls: 0, isIdle: false, cancelEnd: () => undefined }
    // The next caller waits for it and gets its result.
    void supervisor.connect()
    return session
  }

  function endWhenIdle(key: string, session: OtherSession): void {
    session.cancelEnd = ports.clock.after(mcpLimits.idle_ms, () => {
      if (others.get(key) === session) others.delete(key)
      session.isIdle = true
      void session.supervisor.disconnect()
    })
  }

  return {
    main,
    async call(place, request) {
      const key = sessionKey(place)
      // A server that its user disconnected is started nowhere; the main session reports it.
      if (key === sessionKey(ports.place) || !main.isWanted()) return main.call(request)
      const session = others.get(key) ?? open(place)
      others.set(key, session)
      session.cancelEnd()
      session.calls += 1
      const answer = await session.supervisor.call(request)
      session.calls -= 1
      if (session.calls === 0 && others.get(key) === session) endWhenIdle(key, session)
      return answer
    },
    network_hosts: () => ports.consents.get(server_id)?.network_hosts ?? [],
    samplingLimit: () => ports.consents.get(server_id)?.sampling_limit ?? 0,
    async endOthers() {
      const ending = [...others.values()]
      others.clear()
      await Promise.all(
        ending.map(({ supervisor, cancelEnd }) => {
          cancelEnd()
          return supervisor.disconnect()
        }),
      )
    },
  }
}
