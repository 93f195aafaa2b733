// Every promise of the product and whether it is kept here. What has commands is kept where they are answered, so that nobody has to remember to say so.
import type { CommandName } from '@tandem/contract/command'
import type { HostStatus, Side } from '@tandem/contract/status'

interface Promised {
  readonly side: Side
  /** Kept always, not yet, or where this command is answered. */
  readonly kept: 'yes' | 'not_yet' | CommandName
}

const promises = {
  contract: { side: 'both', kept: 'yes' },
  accounts: { side: 'cloud', kept: 'yes' },
  devices: { side: 'cloud', kept: 'yes' },
  sync_service: { side: 'cloud', kept: 'yes' },
  workflow_store: { side: 'cloud', kept: 'yes' },
  task_store: { side: 'cloud', kept: 'yes' },
  file_store: { side: 'cloud', kept: 'yes' },
  log_store: { side: 'cloud', kept: 'yes' },
  realtime: { side: 'cloud', kept: 'yes' },
  model_gateway: { side: 'cloud', kept: 'yes' },
  map: { side: 'desktop', kept: 'yes' },
  agent_loop: { side: 'desktop', kept: 'agent_run_start' },
  tools: { side: 'desktop', kept: 'tool_list' },
  commands: { side: 'desktop', kept: 'runtime_status' },
  checkpoints: { side: 'desktop', kept: 'agent_run_restore_checkpoint' },
  sync_client: { side: 'desktop', kept: 'sync_now' },
  mcp: { side: 'desktop', kept: 'mcp_server_list' },
  skills: { side: 'desktop', kept: 'skill_list' },
  cooperation: { side: 'desktop', kept: 'not_yet' },
  workflows: { side: 'desktop', kept: 'not_yet' },
  memory: { side: 'desktop', kept: 'memory_search' },
  learning: { side: 'desktop', kept: 'learning_advance_candidates' },
  chat: { side: 'desktop', kept: 'message_list' },
} as const satisfies Record<string, Promised>

export function keptPromises(answers: (command: CommandName) => boolean): HostStatus['features'] {
  return Object.entries<Promised>(promises).map(([name, { side, kept }]) => ({
    name,
    side,
    works: kept === 'yes' || (kept !== 'not_yet' && answers(kept)),
  }))
}
