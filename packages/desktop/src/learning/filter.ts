/** Of one agent, or of all of them. */
export interface AgentFilter {
  readonly agent_id?: string
}
