// What MCP servers and skills add to the tools of a run.
import { homedir } from 'node:os'
import type { McpServer } from '@tandem/contract/mcp'
import { type ApprovalMode, defaultToolPolicy } from '@tandem/contract/tool'
import type { CallScope } from './call/context.ts'
import { ToolFailure } from './call/tool.ts'
import type { Events } from './event/events.ts'
import type { Journal } from './journal/journal.ts'
import type { RunRecord } from './journal/run-record.ts'
import type { Consent, SessionPlace } from './mcp/ports.ts'
import { openRunStatus } from './mcp/run-status.ts'
import { cachesIn, serverFolder, serverScope, wholeScope } from './mcp/server-scope.ts'
import { type McpService, mcpService } from './mcp/service.ts'
import { openConsents, openSecrets } from './mcp/store.ts'
import type { ToolRegistry } from './pipeline/registry.ts'
import { isOffered, type Policies } from './policy/policies.ts'
import { inspectText } from './policy/untrusted-text.ts'
import type { RunTemps } from './run/temp.ts'
import type { CommandSandbox } from './sandbox/command/sandbox.ts'
import { openNetwork } from './sandbox/network/scoped-network.ts'
import { configuredFolders, usualFolders } from './skill/roots.ts'
import { openRunSkills, type RunSkills } from './skill/run-skills.ts'
import { type SkillService, skillService } from './skill/service.ts'
import { skillTools } from './skill/tools.ts'
import type { Records } from './store/records.ts'
import type { Store } from './store/store.ts'

export interface AbilitiesPorts {
  readonly store: Store
  readonly records: Records
  readonly events: Events
  readonly journal: Journal
  readonly registry: ToolRegistry
  readonly policies: Policies
  readonly sandbox: CommandSandbox
  readonly temps: RunTemps
  enforcement(call: Pick<CallScope, 'tool' | 'workspace' | 'policy' | 'sandbox_mode'>): ReturnType<CommandSandbox['runner']>['enforcement']
  readonly workspace: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** The context window of the model of a run. */
  contextTokens(run: Pick<RunRecord, 'model'>): Promise<number>
}

export interface Abilities {
  readonly mcp: McpService
  readonly skills: SkillService
  readonly runSkills: RunSkills
  /** Servers are started when a run may need them, not when somebody lists runs. */
  serve(): Promise<void>
  /** The run is at its end. */
  leaveRun(run_id: string): void
  leaveServers(): Promise<void>
}

export function openAbilities(ports: AbilitiesPorts): Abilities {
  const { store, records, events, journal, registry, policies, sandbox, temps, enforcement, workspace, environment, version } = ports
  const { clock, home } = store
  const fail = (...facts: ConstructorParameters<typeof ToolFailure>) => new ToolFailure(...facts)

  const serverFolders = new Set<string>()
  function scopeOfServer(server: McpServer, consent: Consent, place: SessionPlace) {
    const folder = serverFolder(server.server_id, place)
    serverFolders.add(folder)
    return serverScope(server, consent, place, { temp: temps.of(folder), home, report: () => undefined })
  }
  function isUsedBy({ server_id, enabled, default_approval_mode }: McpServer, agent_id: string): boolean {
    const tools = registry.list().filter(({ name }) => name.startsWith(`mcp.${server_id}.`))
    if (tools.length === 0) return isOffered({ enabled, approval_mode: default_approval_mode })
    return tools.some(({ name }) => isOffered(policies.of(agent_id, name).policy))
  }
  const runStatus = openRunStatus({ clock, device_id: store.device_id, journal, isUsedBy })
  let withdraw: () => void = () => undefined
  const mcp = mcpService(
    {
      clock,
      random: Math.random,
      version,
      records,
      consents: openConsents(store),
      secrets: openSecrets(store),
      environment,
      place: { workspace, sandbox_mode: 'workspace', ...wholeScope },
      commandsFor: (server, consent, place) => sandbox.runner(scopeOfServer(server, consent, place)),
      environmentFor: (server, place) => cachesIn(temps.of(serverFolder(server.server_id, place))),
      networkFor: (server, consent, place) => openNetwork(scopeOfServer(server, consent, place)),
      enforcement: () => enforcement({ tool: 'mcp', workspace, policy: defaultToolPolicy('mcp.server.tool'), sandbox_mode: 'workspace' }),
      emit: ({ data, failure_contract }) => events.emit('mcp_state_changed', {}, data, failure_contract),
      told: runStatus.changed,
      toolsChanged() {
        withdraw()
        withdraw = registry.add(mcp.tools())
      },
    },
    fail,
  )
  let served: Promise<void> | null = null

  const skills = skillService({
    clock,
    inspect: inspectText,
    records,
    host: { platform: process.platform, user_home: homedir(), environment },
    executor: () => null,
    folders: (place) =>
      usualFolders({ user_home: homedir(), home, workspace: place, bundled: null, configured: configuredFolders(environment) }),
  })
  const runSkills = openRunSkills({ service: skills, journal, budgetOf: async (run) => Math.floor((await ports.contextTokens(run)) / 10) })
  registry.add(skillTools(skills, fail, runSkills.loaded))

  return {
    mcp,
    skills,
    runSkills,
    serve() {
      served ??= Promise.resolve(mcp.start())
      return served
    },
    leaveRun(run_id) {
      runSkills.end(run_id)
      runStatus.end(run_id)
    },
    async leaveServers() {
      runStatus.stop()
      runSkills.stop()
      await mcp.stop()
      for (const folder of serverFolders) temps.end(folder)
    },
  }
}

/** How calls of servers and skills are asked about unless a policy says otherwise; null for other tools. */
export function modeOfAbility(records: Records, tool: string): ApprovalMode | null {
  if (tool === 'skill.load') return 'auto'
  const [family, server = ''] = tool.split('.')
  return family === 'mcp' ? (records.get('mcp_servers', server)?.payload.default_approval_mode ?? null) : null
}
