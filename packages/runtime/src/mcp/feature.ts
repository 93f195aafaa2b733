import type { McpServer } from '@tandem/contract/mcp'
import type { CallScope } from '../call/scope.ts'
import type { Feature } from '../feature/feature.ts'
import type { FeatureContext } from '../feature/feature-context.ts'
import type { Workspaces } from '../feature/workspaces.ts'
import { openRunUsage } from '../journal/run-usage.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import type { CallPolicies } from '../policy/call-policies.ts'
import { isOffered, type Policies } from '../policy/policies.ts'
import type { Questions } from '../question/questions.ts'
import type { CommandSandbox } from '../sandbox/command/sandbox.ts'
import { openNetwork } from '../sandbox/network/scoped-network.ts'
import type { RunTempFolders } from '../sandbox/run-temps.ts'
import { openAskingCalls } from './ask/asking-calls.ts'
import { openSampling, type SamplingPorts } from './ask/sampling.ts'
import { mcpHandlers } from './commands.ts'
import { openFolderServers } from './folder/folder-servers.ts'
import type { ServerApproval, SessionScope } from './ports.ts'
import { openRunStatus } from './run-status.ts'
import { openRunTools } from './run-tools.ts'
import { toolSearchTool } from './search/search-tool.ts'
import { cacheVariables, fullScope, serverFolder, serverScope } from './server-scope.ts'
import { mcpService } from './service.ts'
import { mcpSettings } from './settings.ts'
import { openConsents, openSecrets } from './store.ts'
import { serverOf } from './tool/tool-name.ts'

export interface McpNeeds {
  readonly registry: ToolRegistry
  readonly policies: Policies
  readonly callPolicies: CallPolicies
  readonly sandbox: CommandSandbox
  readonly temps: RunTempFolders
  /** Where servers work outside of runs. */
  readonly workspace: string
  readonly workspaces: Pick<Workspaces, 'resolve'>
  readonly version: string
  readonly questions: Pick<Questions, 'ask' | 'withdraw'>
  /** The model of a run, for servers that may use it. */
  modelFor: SamplingPorts['modelFor']
  /** From the budget of the run. */
  reserve: SamplingPorts['reserve']
  /** The folder of which a member of a team has a copy; null for any other folder. */
  originOf(workspace: string): string | null
}

export interface McpFeature extends Feature {
  /** Servers are started when a run may need them, not when a command only lists runs; those of a folder, when a run works there. */
  serve(folders: readonly string[]): Promise<unknown>
  /** Definitions were added or removed by sync. */
  definitionsChanged(server_ids: readonly string[]): void
  /** Whether a tool belongs to a server that a folder defines. */
  isOfFolder(tool: string): boolean
  /** How many tokens the tools of servers may use in a request. */
  toolBudget(): number
}

/** MCP servers and their tools. */
export function openMcpFeature(ground: FeatureContext, needs: McpNeeds): McpFeature {
  const { store, records, events, journal, environment, clock, home, settings, log } = ground
  const { registry, policies, callPolicies, sandbox, temps, workspace, workspaces, version, questions, modelFor, reserve, originOf } = needs
  const folders = new Set<string>()
  const folderServers = openFolderServers(store)
  function scopeOf(server: McpServer, consent: ServerApproval, place: SessionScope, report: CallScope['report'] = () => undefined) {
    const folder = serverFolder(server.server_id, place)
    folders.add(folder)
    return serverScope(server, consent, place, { temp: temps.of(folder), home, report })
  }
  function isUsedBy({ server_id, enabled, default_approval_mode, agent_ids }: McpServer, agent_id: string): boolean {
    if (agent_ids && !agent_ids.includes(agent_id)) return false
    const tools = registry.list().filter(({ name }) => name.startsWith(`mcp.${server_id}.`))
    if (tools.length === 0) return isOffered({ enabled, approval_mode: default_approval_mode })
    return tools.some(({ name }) => isOffered(policies.of(agent_id, name).policy))
  }
  const runStatus = openRunStatus({ clock, device_id: store.device_id, journal, isUsedBy })
  const sampling = openSampling({ journal, usage: openRunUsage(store), modelFor, reserve })
  let withdraw: () => void = () => undefined
  const mcp = mcpService({
    clock,
    random: Math.random,
    version,
    records,
    consents: openConsents(store),
    secrets: openSecrets(store),
    environment,
    folders: folderServers,
    originOf,
    asking: openAskingCalls({
      clock,
      newId: store.newId,
      ask({ run_id }, question) {
        const run = journal.run(run_id)
        if (!run) throw new Error(`there is no run ${run_id}`)
        questions.ask(run.no, question)
        journal.append(run_id, { kind: 'question.asked', question })
      },
      withdraw: questions.withdraw,
    }),
    sampling,
    place: { workspace, sandbox_mode: 'workspace', ...fullScope },
    commandsFor: (server, consent, place, report) => sandbox.runner(scopeOf(server, consent, place, report)),
    environmentFor: (server, place) => cacheVariables(temps.of(serverFolder(server.server_id, place))),
    networkFor: (server, consent, place) => openNetwork(scopeOf(server, consent, place)),
    signInNetworkFor(server, consent, hosts) {
      const scope = scopeOf(server, consent, { workspace, sandbox_mode: 'workspace', ...fullScope })
      return openNetwork({ ...scope, policy: { ...scope.policy, network_scope: { hosts: [...hosts, ...consent.network_hosts] } } })
    },
    enforcement: () => sandbox.enforcement('workspace'),
    emit: ({ data, failure_contract }) => events.emit('mcp_state_changed', {}, data, failure_contract),
    told: runStatus.changed,
    toolsChanged() {
      withdraw()
      withdraw = registry.add(mcp.tools())
    },
  })
  const toolBudget = () => settings.section(mcpSettings).tool_tokens
  const runTools = openRunTools({ mcp, registry, callPolicies, budget: toolBudget })
  const served = new Map<string | null, Promise<void>>()
  return {
    name: 'mcp',
    // The tools of servers are registered and removed with them.
    tools: [toolSearchTool({ toolsFor: (run_id) => runTools.searchable(journal.run(run_id)), budget: toolBudget })],
    settings: mcpSettings,
    prompt: runTools.prompt,
    toolBudget,
    isOfFolder: (tool) => folderServers.folderOf(serverOf(tool) ?? '') !== null,
    commands: mcpHandlers(mcp, { tokensOf: runTools.tokensOf, folder: workspaces.resolve }),
    serve(folders) {
      const started = [null, ...folders.map((folder) => originOf(folder) ?? folder)].map((folder) => {
        const known = served.get(folder) ?? Promise.resolve(mcp.start(folder))
        served.set(folder, known)
        return known
      })
      return Promise.all(started)
    },
    definitionsChanged: (server_ids) =>
      void mcp
        .definitionsChanged(server_ids)
        .catch((error: unknown) => log(`MCP servers that changed on another device: ${String(error)}`)),
    endRun(run_id) {
      runStatus.end(run_id)
      sampling.end(run_id)
    },
    async stop() {
      runStatus.stop()
      await mcp.stop()
      for (const folder of folders) temps.end(folder)
    },
  }
}
