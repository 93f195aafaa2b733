// Reports the state of MCP servers to the runs that use their tools: one card per server, kept up to date.
import type { McpServer, McpServerState } from '@tandem/contract/mcp'
import type { Clock } from '../clock/clock.ts'
import type { Journal } from '../journal/journal.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { mcpLimits } from './limits.ts'
import type { SessionScope, StateChange } from './ports.ts'
import { modeFor } from './server-scope.ts'

export interface ServerStatusReporter {
  /** A session of a server in this place has changed its state. */
  changed(server: McpServer, place: SessionScope, change: StateChange): void
  end(run_id: string): void
  stop(): void
}

export interface RunStatusPorts {
  readonly clock: Clock
  readonly device_id: string
  readonly journal: Pick<Journal, 'runs' | 'run' | 'append'>
  /** Whether a tool of the server is, or would be, offered to the agent. */
  isUsedBy(server: McpServer, agent_id: string): boolean
}

interface Status {
  readonly name: string
  readonly state: McpServerState
  readonly message: string | null
  readonly heartbeat_at: string | null
}

interface Told {
  steps: number
  state: McpServerState
  /** What to report when the time has come. */
  next: Status | null
  cancel: () => void
}

export function openRunStatus({ clock, device_id, journal, isUsedBy }: RunStatusPorts): ServerStatusReporter {
  const runs = new Map<string, Map<string, Told>>()
  let stopped = false

  function tell(run_id: string, server_id: string, told: Told, status: Status): void {
    told.next = null
    // It may have returned to the state that the run was notified of last.
    if (told.state === status.state || !isInProgress(journal.run(run_id))) return
    told.steps += 1
    told.state = status.state
    journal.append(run_id, { kind: 'mcp.status', server_id, ...status })
  }

  /** A server that reconnects all the time is reported immediately for a while, then only occasionally. */
  function note(run_id: string, server_id: string, told: Told, status: Status): void {
    if (told.steps < mcpLimits.told_at_once) {
      tell(run_id, server_id, told, status)
      return
    }
    const isWaiting = told.next !== null
    told.next = status
    if (isWaiting) return
    told.cancel = clock.after(mcpLimits.told_every_ms, () => {
      if (told.next) tell(run_id, server_id, told, told.next)
    })
  }

  function toldOf(run_id: string, server_id: string, before: McpServerState): Told {
    const servers = runs.get(run_id) ?? new Map<string, Told>()
    const told = servers.get(server_id) ?? { steps: 0, state: before, next: null, cancel: () => undefined }
    runs.set(run_id, servers.set(server_id, told))
    return told
  }

  /** A paused run is still notified about servers that it was notified of before: its card must not stay wrong. */
  function waitingFor(server_id: string): RunRecord[] {
    return [...runs].flatMap(([run_id, servers]) => {
      const run = servers.has(server_id) ? journal.run(run_id) : undefined
      return run?.state === 'paused' ? [run] : []
    })
  }

  return {
    changed(server, place, { data, failure_contract }) {
      const { server_id, from_state, to_state: state, heartbeat_at } = data
      if (stopped) return
      const message = failure_contract?.details.message ?? null
      const status = { name: server.name, state, message, heartbeat_at }
      for (const run of [...journal.runs({ state: 'running', limit: -1 }), ...waitingFor(server_id)]) {
        const concerned = run.device_id === device_id && worksIn(run, server, place) && isUsedBy(server, run.agent_id)
        if (concerned) note(run.run_id, server_id, toldOf(run.run_id, server_id, from_state), status)
      }
    },
    end(run_id) {
      for (const { cancel } of runs.get(run_id)?.values() ?? []) cancel()
      runs.delete(run_id)
    },
    stop() {
      stopped = true
      for (const servers of runs.values()) for (const { cancel } of servers.values()) cancel()
      runs.clear()
    },
  }
}

function isInProgress(run: RunRecord | undefined): boolean {
  return run?.state === 'running' || run?.state === 'paused'
}

function worksIn(run: RunRecord, server: McpServer, place: SessionScope): boolean {
  return run.workspace === place.workspace && modeFor(server, run.sandbox_mode) === place.sandbox_mode
}
