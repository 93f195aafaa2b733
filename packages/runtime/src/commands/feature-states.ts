// The features of the product, and whether each works in this runtime. A feature with commands or tools of its own works once they are built.
import { isBuilt } from '@tandem/contract/built'
import type { CommandName } from '@tandem/contract/command'
import type { HostStatus, Side } from '@tandem/contract/status'
import type { BuiltinToolName } from '@tandem/contract/tool'

interface Feature {
  readonly side: Side
  /** Always, not yet, or as soon as this command is answered or this tool is built. */
  readonly works: 'yes' | 'not_yet' | { readonly command: CommandName } | { readonly tool: BuiltinToolName }
}

const features = {
  contract: { side: 'both', works: 'yes' },
  accounts: { side: 'cloud', works: 'yes' },
  devices: { side: 'cloud', works: 'yes' },
  sync_service: { side: 'cloud', works: 'yes' },
  workflow_store: { side: 'cloud', works: 'yes' },
  task_store: { side: 'cloud', works: 'yes' },
  file_store: { side: 'cloud', works: 'yes' },
  log_store: { side: 'cloud', works: 'yes' },
  realtime: { side: 'cloud', works: 'yes' },
  model_gateway: { side: 'cloud', works: 'yes' },
  map: { side: 'desktop', works: 'yes' },
  agent_loop: { side: 'desktop', works: { command: 'agent_run_start' } },
  tools: { side: 'desktop', works: { command: 'tool_list' } },
  commands: { side: 'desktop', works: { command: 'runtime_status' } },
  checkpoints: { side: 'desktop', works: { command: 'agent_run_restore_checkpoint' } },
  sync_client: { side: 'desktop', works: { command: 'sync_now' } },
  mcp: { side: 'desktop', works: { command: 'mcp_server_list' } },
  skills: { side: 'desktop', works: { command: 'skill_list' } },
  cooperation: { side: 'desktop', works: { tool: 'agent.spawn' } },
  workflows: { side: 'desktop', works: { tool: 'workflow.start' } },
  knowledge_base: { side: 'desktop', works: { tool: 'kb.search' } },
  memory: { side: 'desktop', works: { command: 'memory_search' } },
  learning: { side: 'desktop', works: { command: 'learning_advance_candidates' } },
  skill_evolution: { side: 'desktop', works: { command: 'skill_list_recommendations' } },
  remote_executor: { side: 'desktop', works: 'not_yet' },
  chat: { side: 'desktop', works: { command: 'message_list' } },
} as const satisfies Record<string, Feature>

export function featureStates(answers: (command: CommandName) => boolean): HostStatus['features'] {
  return Object.entries<Feature>(features).map(([name, { side, works }]) => ({ name, side, works: isWorking(works, answers) }))
}

function isWorking(works: Feature['works'], answers: (command: CommandName) => boolean): boolean {
  if (typeof works === 'string') return works === 'yes'
  return 'command' in works ? answers(works.command) : isBuilt('tools', works.tool)
}
