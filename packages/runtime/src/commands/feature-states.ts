// The features of the product, and whether each works in this runtime. A feature with commands or tools works once they are implemented.
import { isBuilt } from '@tandem/contract/built'
import type { CommandName, CommandResult } from '@tandem/contract/command'
import type { BuiltinToolName } from '@tandem/contract/tool'

/** Always, or as soon as this command has a handler or this tool is built. */
type Works = 'yes' | { readonly command: CommandName } | { readonly tool: BuiltinToolName }

const features = {
  contract: 'yes',
  accounts: 'yes',
  devices: 'yes',
  sync_service: 'yes',
  workflow_store: 'yes',
  task_store: 'yes',
  file_store: 'yes',
  log_store: 'yes',
  realtime: 'yes',
  model_gateway: 'yes',
  agent_loop: { command: 'agent_run_start' },
  tools: { command: 'tool_list' },
  commands: { command: 'runtime_status' },
  checkpoints: { command: 'agent_run_restore_checkpoint' },
  sync_client: { command: 'sync_now' },
  mcp: { command: 'mcp_server_list' },
  skills: { command: 'skill_list' },
  cooperation: { tool: 'agent.spawn' },
  workflows: { tool: 'workflow.start' },
  knowledge_base: { tool: 'kb.search' },
  memory: { command: 'memory_search' },
  learning: { command: 'learning_advance_candidates' },
  skill_evolution: { command: 'skill_list_recommendations' },
  remote_executor: { command: 'executor_list' },
  chat: { command: 'message_list' },
} as const satisfies Record<string, Works>

type States = CommandResult<'runtime_status'>['features']

/** A feature of the table works only if it does not report otherwise; reported features that are not in the table are appended. */
export function featureStates(answers: (command: CommandName) => boolean, reported: States = []): States {
  const listed = Object.entries<Works>(features).map(([name, works]) => {
    const works_here = isWorking(works, answers)
    const own = reported.find((state) => state.name === name)
    return own ? { ...own, works: own.works && works_here } : { name, works: works_here }
  })
  return [...listed, ...reported.filter(({ name }) => !Object.hasOwn(features, name))]
}

function isWorking(works: Works, answers: (command: CommandName) => boolean): boolean {
  if (works === 'yes') return true
  return 'command' in works ? answers(works.command) : isBuilt('tools', works.tool)
}
