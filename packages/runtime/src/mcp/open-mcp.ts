// MCP servers, put together from what the runtime has.
import type { McpServer } from '@tandem/contract/mcp'
import type { Events } from '../event/events.ts'
import type { Journal } from '../journal/journal.ts'
import type { ToolRegistry } from '../pipeline/registry.ts'
import { isOffered, type Policies } from '../policy/policies.ts'
import type { CommandSandbox } from '../sandbox/command/sandbox.ts'
import { openNetwork } from '../sandbox/network/scoped-network.ts'
import type { RunTemps } from '../sandbox/temp.ts'
import type { Records } from '../store/records.ts'
import type { Store } from '../store/store.ts'
import type { Consent, SessionPlace } from './ports.ts'
import { openRunStatus } from './run-status.ts'
import { cachesIn, serverFolder, serverScope, wholeScope } from './server-scope.ts'
import { type McpService, mcpService } from './service.ts'
import { openConsents, openSecrets } from './store.ts'

export interface McpNeeds {
  readonly store: Store
  readonly records: Records
  readonly events: Events
  readonly journal: Journal
  readonly registry: ToolRegistry
  readonly policies: Policies
  readonly sandbox: CommandSandbox
  readonly temps: RunTemps
  readonly workspace: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
}

export interface OpenMcp {
  readonly mcp: McpService
  /** Servers are started when a run may need them, not when somebody lists runs. */
  serve(): Promise<void>
  /** The run is at its end. */
  endRun(run_id: string): void
  stop(): Promise<void>
}

export function openMcp(needs: McpNeeds): OpenMcp {
  const { store, records, events, journal, registry, policies, sandbox, temps, workspace, environment, version } = needs
  const { clock, home } = store
  const folders = new Set<string>()
  function scopeOf(server: McpServer, consent: Consent, place: SessionPlace) {
    const folder = serverFolder(server.server_id, place)
    folders.add(folder)
    return serverScope(server, consent, place, { temp: temps.of(folder), home, report: () => undefined })
  }
  function isUsedBy({ server_id, enabled, default_approval_mode }: McpServer, agent_id: string): boolean {
    const tools = registry.list().filter(({ name }) => name.startsWith(`mcp.${server_id}.`))
    if (tools.length === 0) return isOffered({ enabled, approval_mode: default_approval_mode })
    return tools.some(({ name }) => isOffered(policies.of(agent_id, name).policy))
  }
  const runStatus = openRunStatus({ clock, device_id: store.device_id, journal, isUsedBy })
  let withdraw: () => void = () => undefined
  const mcp = mcpService({
    clock,
    random: Math.random,
    version,
    records,
    consents: openConsents(store),
    secrets: openSecrets(store),
    environment,
    place: { workspace, sandbox_mode: 'workspace', ...wholeScope },
    commandsFor: (server, consent, place) => sandbox.runner(scopeOf(server, consent, place)),
    environmentFor: (server, place) => cachesIn(temps.of(serverFolder(server.server_id, place))),
    networkFor: (server, consent, place) => openNetwork(scopeOf(server, consent, place)),
    enforcement: () => sandbox.enforcement('workspace'),
    emit: ({ data, failure_contract }) => events.emit('mcp_state_changed', {}, data, failure_contract),
    told: runStatus.changed,
    toolsChanged() {
      withdraw()
      withdraw = registry.add(mcp.tools())
    },
  })
  let served: Promise<void> | null = null
  return {
    mcp,
    serve() {
      served ??= Promise.resolve(mcp.start())
      return served
    },
    endRun: runStatus.end,
    async stop() {
      runStatus.stop()
      await mcp.stop()
      for (const folder of folders) temps.end(folder)
    },
  }
}
