// How one server is doing. Its state moves only along the contract's table; every move is told as an event.
import { type McpServerState, type McpServerStatus, type McpServerTrigger, mcpServerTransitions } from '@tandem/contract/mcp'
import { transition } from '@tandem/contract/transition'
import { timestamp } from '../../clock/clock.ts'
import { failureContract, type McpFailure } from '../failure.ts'
import type { McpPorts } from '../ports.ts'

type Facts = Omit<McpServerStatus, 'server_id' | 'state' | 'state_ts' | 'failure_contract'>

export interface ServerState {
  read(): McpServerStatus
  /** What the last failure was; null once the server is well again. */
  failure(): McpFailure | null
  /** Throws when the table does not know the move: the supervisor asked for the impossible. */
  move(trigger: McpServerTrigger, facts?: Partial<Facts>, failure?: McpFailure | null): void
  /** Changes what is known without a move. */
  note(facts: Partial<Facts>, failure?: McpFailure | null): void
  /** Tells of the tools that are there now. */
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
