// The servers of this device: their definitions, their sessions, and what the user decided about each.
import type { McpServer, McpServerStatus } from '@tandem/contract/mcp'
import { timestamp } from '../clock/clock.ts'
import { consentProblem } from './admission.ts'
import type { Approval } from './approval.ts'
import { type DefinitionPreview, definitionSha256, previewDefinition, readDefinition } from './definition.ts'
import { type FailedOutcome, type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'
import { mcpLimits } from './limits.ts'
import type { McpPorts, SessionPorts } from './ports.ts'
import { type ServerSessions, serverSessions } from './session/sessions.ts'
import type { Supervisor } from './session/supervisor.ts'
import { openSignIns, type SignedIn, type SignIns } from './sign-in/sign-ins.ts'

export interface ListedServer {
  readonly preview: DefinitionPreview
  readonly status: McpServerStatus
  /** Why this device does not start it; null if its user has approved the current definition. */
  readonly consent_problem: McpFailure | null
  /** Those of the approval. */
  readonly network_hosts: readonly string[]
  /** How many requests to the model it may make in one run. */
  readonly sampling_limit: number
  /** Null if nobody signed in to it. */
  readonly sign_in: SignedIn | null
  /** The folder that defines it; null for a server of all folders. */
  readonly folder: string | null
}

/** Inside of MCP; `McpService` is what others see of it. */
export interface Servers {
  readonly ports: SessionPorts
  readonly signIns: SignIns
  /** An invalid record of another program is not a definition. */
  definition(server_id: string): McpServer | undefined
  definitions(): readonly McpServer[]
  preview(server: McpServer): DefinitionPreview
  listed(server: McpServer): ListedServer
  unknown(server_id: string): FailedOutcome
  /** Why no server of this id can be added. */
  taken(server_id: string): McpFailure | null

  sessions(server_id: string): ServerSessions
  /** Those that were needed until now. */
  opened(): ReadonlyMap<string, ServerSessions>
  withServer<Value>(server_id: string, use: (supervisor: Supervisor, server: McpServer) => Value): Value | FailedOutcome
  start(folder: string | null): Promise<void>
  stop(): Promise<void>
  disconnect(server_id: string): Promise<McpServerStatus>
  /** Its sessions end, because they were started with something else. */
  redefined(server_id: string): Promise<void>

  /** Why the approval does not count; null if it was stored. */
  consent(server: McpServer, approval: Approval): McpFailure | null
  write(server: McpServer, approval: Approval | null): Promise<McpOutcome<ListedServer>>
  /** A server that its user has approved and enabled is connected from now on; this does not wait for it. */
  settle(server: McpServer): Promise<McpOutcome<ListedServer>>
  remove(server_id: string): Promise<McpOutcome<{ readonly server_id: string }>>
  /** A later server of the same name starts without an old approval. */
  forget(server_id: string): void
}

export function openServers(outer: McpPorts): Servers {
  const { folders } = outer
  const given = { ...outer, records: folders.withRecords(outer.records), consents: folders.withConsents(outer.consents) }
  const signIns = openSignIns(given, (server) => void servers.settle(server))
  const ports: SessionPorts = { ...given, authorizerFor: signIns.authorizer }
  const all = new Map<string, ServerSessions>()
  let isStopped = false

  /** A server of a folder works there. */
  function placed(server_id: string): SessionPorts {
    const folder = folders.folderOf(server_id)
    return folder === null ? ports : { ...ports, place: { ...ports.place, workspace: folder } }
  }

  const servers: Servers = {
    ports,
    signIns,
    definition(server_id) {
      const read = readDefinition(ports.records.get('mcp_servers', server_id)?.payload)
      return read.ok && read.value.server_id === server_id ? read.value : undefined
    },
    definitions: () => ports.records.list('mcp_servers').flatMap(({ entity_id }) => servers.definition(entity_id) ?? []),
    preview(server) {
      const seen = previewDefinition(server)
      if (server.transport === 'http' || ports.enforcement() === 'os') return seen
      return { ...seen, warnings: [...seen.warnings, 'No sandbox is available on this machine: nothing would restrict this program.'] }
    },
    listed(server) {
      const consent = ports.consents.get(server.server_id)
      return {
        preview: servers.preview(server),
        status: servers.sessions(server.server_id).main.status(),
        consent_problem: consentProblem(server, consent),
        network_hosts: consent?.network_hosts ?? [],
        sampling_limit: consent?.sampling_limit ?? 0,
        sign_in: server.transport === 'http' ? signIns.signedIn(server) : null,
        folder: folders.folderOf(server.server_id),
      }
    },
    unknown: (server_id) => mcpFailed(mcpFailure('unknown_server', server_id, `there is no server ${server_id}`)),
    taken(server_id) {
      if (!ports.records.get('mcp_servers', server_id)) return null
      const field = { field: 'server.server_id', message: 'is the id of another server' }
      return mcpFailure('server_exists', server_id, `server ${server_id} already exists`, { field })
    },
    sessions(server_id) {
      const found = all.get(server_id) ?? serverSessions(server_id, () => servers.definition(server_id), placed(server_id))
      all.set(server_id, found)
      return found
    },
    opened: () => all,
    withServer(server_id, use) {
      const server = servers.definition(server_id)
      return server ? use(servers.sessions(server_id).main, server) : servers.unknown(server_id)
    },
    async start(folder) {
      const wanted = servers.definitions().filter(({ server_id, enabled }) => enabled && folders.folderOf(server_id) === folder)
      const tried = wanted.map(({ server_id }) => servers.sessions(server_id).main.connect())
      if (tried.length === 0) return
      const late = Promise.withResolvers<void>()
      const cancel = ports.clock.after(mcpLimits.patience_ms, late.resolve)
      await Promise.race([Promise.all(tried), late.promise])
      cancel()
    },
    async stop() {
      isStopped = true
      signIns.stop()
      await Promise.all([...all.keys()].map(servers.disconnect))
      all.clear()
    },
    async disconnect(server_id) {
      const { main, endOthers } = servers.sessions(server_id)
      // Those in other workspaces end too: none may outlive the user's decision.
      const [status] = await Promise.all([main.disconnect(), endOthers()])
      return status
    },
    async redefined(server_id) {
      const { main, endOthers } = servers.sessions(server_id)
      await Promise.all([main.redefined(), endOthers()])
    },
    consent(server, { definition_sha256: shown, network_hosts }) {
      const { server_id } = server
      const definition_sha256 = definitionSha256(server)
      if (shown !== definition_sha256) return mcpFailure('stale_approval', server_id, `${server_id} has changed since it was shown`)
      ports.consents.put({ server_id, definition_sha256, network_hosts, approved_at: timestamp(ports.clock.now()) })
      return null
    },
    async write(server, approval) {
      const problem = approval && servers.consent(server, approval)
      if (problem) return mcpFailed(problem)
      ports.records.put('mcp_servers', server.server_id, server)
      return servers.settle(server)
    },
    async settle(server) {
      const { server_id, enabled } = server
      await servers.redefined(server_id)
      ports.toolsChanged(server_id)
      // A sign-in may end while the service stops.
      const isWanted = !isStopped && enabled && !consentProblem(server, ports.consents.get(server_id))
      if (isWanted) void servers.sessions(server_id).main.connect()
      return mcpSuccess(servers.listed(server))
    },
    async remove(server_id) {
      if (!ports.records.get('mcp_servers', server_id)) return servers.unknown(server_id)
      await servers.disconnect(server_id)
      ports.records.remove('mcp_servers', server_id)
      servers.forget(server_id)
      return mcpSuccess({ server_id })
    },
    forget(server_id) {
      all.delete(server_id)
      signIns.forget(server_id)
      ports.consents.remove(server_id)
      ports.secrets.remove(server_id)
      ports.toolsChanged(server_id)
    },
  }
  return servers
}
