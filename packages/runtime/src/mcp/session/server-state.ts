// The state of one server. It changes only according to the contract's table; every transition is an event.
import { type McpServerState, type McpServerStatus, type McpServerTrigger, mcpServerTransitions } from '@tandem/contract/mcp'
import { transition } from '@tandem/contract/transition'
import { timestamp } from '../../clock/clock.ts'
import { failureContract, type McpFailure } from '../failure.ts'
import type { McpPorts } from '../ports.ts'

type Facts = Omit<McpServerStatus, 'server_id' | 'state' | 'state_ts' | 'failure_contract'>

export interface ServerState {
  read(): McpServerStatus
  /** The last failure; null when the server works again. */
  failure(): McpFailure | null
  /** Throws if the table has no such transition: that is a bug in the supervisor. */
  move(trigger: McpServerTrigger, facts?: Partial<Facts>, failure?: McpFailure | null): void
  /** Updates the facts without a transition. */
  note(facts: Partial<Facts>, failure?: McpFailure | null): void
  /** Reports the current tools. */
  announce(tools: readonly string[]): void
}

export function serverState(server_id: string, ports: Pick<McpPorts, 'clock' | 'emit'>): ServerState {
  let state: McpServerState = mcpServerTransitions.initial
  let state_ts = timestamp(ports.clock.now())
  let failure: McpFailure | null = null
  let facts: Facts = {
    heartbeat_at: null,
    missed_pings: 0,
    reconnect_attempts: 0,
    next_reconnect_at: null,
    server_name: null,
    server_version: null,
    protocol_version: null,
    tool_count: 0,
  }

  function tell(from_state: McpServerState, tools?: readonly string[]): void {
    const { heartbeat_at, next_reconnect_at } = facts
    ports.emit({
      data: { server_id, from_state, to_state: state, heartbeat_at, next_reconnect_at, ...(tools ? { tools: [...tools] } : {}) },
      ...(failure ? { failure_contract: failureContract(failure) } : {}),
    })
  }

  return {
    read: () => ({ server_id, state, state_ts, ...facts, ...(failure ? { failure_contract: failureContract(failure) } : {}) }),
    failure: () => failure,
    move(trigger, changed = {}, why = null) {
      const moved = transition(mcpServerTransitions, state, trigger)
      if (!moved.ok) throw new Error(moved.message)
      const from = state
      state = moved.state
      state_ts = timestamp(ports.clock.now())
      facts = { ...facts, ...changed }
      failure = why
      tell(from)
    },
    note(changed, why) {
      facts = { ...facts, ...changed }
      if (why !== undefined) failure = why
    },
    announce: (tools) => tell(state, tools),
  }
}
