// The interface of MCP for commands, the tool registry and sync. Failures are values.
import { homedir } from 'node:os'
import type { McpServer, McpServerStatus, McpTool } from '@tandem/contract/mcp'
import type { Tool, ToolOrigin } from '../call/tool.ts'
import { timestamp } from '../clock/clock.ts'
import { admit, consentProblem } from './admission.ts'
import { type DefinitionPreview, definitionSha256, previewDefinition, readDefinition } from './definition.ts'
import { type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'
import { type FolderConsent, openFolderConsent } from './folder/folder-consent.ts'
import { type Import, readImport } from './import/import.ts'
import { mcpLimits } from './limits.ts'
import type { McpPorts, SecretKind, SessionPorts } from './ports.ts'
import { secretProblem } from './secret.ts'
import type { LogLine } from './session/log.ts'
import { type ServerSessions, serverSessions } from './session/sessions.ts'
import type { Supervisor } from './session/supervisor.ts'
import { type BegunSignIn, openSignIns, type SignedIn, type SignInRequest } from './sign-in/sign-ins.ts'
import { inspectedTools, type ListedTool } from './tool/inspected-tools.ts'
import { isLeftOut, useRefusal } from './tool/server-use.ts'
import type { ListingProblem } from './tool/tool-list.ts'
import { serverOf } from './tool/tool-name.ts'
import { toolStandingOf } from './tool/tool-standing.ts'
import { dynamicTool } from './tool/tools.ts'

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

export interface Approval {
  /** As shown in the preview: an approval of anything else is refused. */
  readonly definition_sha256: string
  readonly network_hosts: readonly string[]
}

export interface McpService extends FolderConsent {
  /** Connects enabled servers, those of a folder or those of none. Resolves when each has been tried once, or after a time limit. */
  start(folder?: string | null): Promise<void>
  stop(): Promise<void>

  listServers(): readonly ListedServer[]
  previewServer(definition: unknown): McpOutcome<DefinitionPreview>
  addServer(definition: unknown, approval: Approval | null): Promise<McpOutcome<ListedServer>>
  updateServer(definition: unknown, approval: Approval | null): Promise<McpOutcome<ListedServer>>
  removeServer(server_id: string): Promise<McpOutcome<{ readonly server_id: string }>>
  approveServer(server_id: string, approval: Approval): Promise<McpOutcome<ListedServer>>
  revokeServer(server_id: string): Promise<McpOutcome<ListedServer>>
  setSecret(server_id: string, kind: SecretKind, name: string, value: string): Promise<McpOutcome<ListedServer>>
  previewImport(text: string): Promise<McpOutcome<Omit<Import, 'servers'> & { readonly servers: readonly DefinitionPreview[] }>>
  importServers(
    text: string,
    approvals: readonly ({ readonly server_id: string } & Approval)[],
  ): Promise<McpOutcome<readonly ListedServer[]>>

  /** Prepares a sign-in, which the user continues in a browser. */
  beginSignIn(server_id: string, request: SignInRequest): Promise<McpOutcome<BegunSignIn>>
  waitForSignIn(sign_in_id: string, ms: number): Promise<McpOutcome<'waiting' | 'signed_in'>>
  signOut(server_id: string): Promise<McpOutcome<ListedServer>>

  testServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
  connectServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
  disconnectServer(server_id: string): Promise<McpOutcome<McpServerStatus>>
  refreshTools(server_id: string): Promise<McpOutcome<readonly ListedTool[]>>
  listTools(server_id: string): McpOutcome<{ readonly tools: readonly ListedTool[]; readonly problems: readonly ListingProblem[] }>
  approveTool(tool: string, fingerprint: string): McpOutcome<ListedTool>
  readLog(server_id: string): McpOutcome<{ readonly lines: readonly LogLine[]; readonly dropped_lines: number }>
  listResources(server_id: string): Promise<McpOutcome<{ readonly resources: readonly unknown[]; readonly templates: readonly unknown[] }>>
  readResource(server_id: string, uri: string, signal: AbortSignal): Promise<McpOutcome<Record<string, unknown>>>
  listPrompts(server_id: string): Promise<McpOutcome<readonly unknown[]>>
  getPrompt(
    server_id: string,
    name: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<McpOutcome<Record<string, unknown>>>

  /** The dynamic tools that a registry may offer now. */
  tools(): readonly Tool[]
  /** What an approval must show about a dynamic tool, and whether approval is needed; undefined if the tool does not exist. */
  standing(tool: string): ListedTool | undefined
  /** What a connected server says about itself. Untrusted. */
  instructions(server_id: string): string
  /** How many requests to the model a server may make in one run; none by default. */
  allowSampling(server_id: string, limit: number): Promise<McpOutcome<ListedServer>>
  /** A definition was written or removed by sync. */
  definitionsChanged(server_ids: readonly string[]): Promise<void>
}

export function mcpService(outer: McpPorts): McpService {
  const { folders } = outer
  const given = { ...outer, records: folders.withRecords(outer.records), consents: folders.withConsents(outer.consents) }
  const signIns = openSignIns(given, (server) => void settle(server))
  const ports: SessionPorts = {
    ...given,
    authorizerFor: signIns.authorizer,
    toolsChanged(server_id) {
      inspected.clear()
      given.toolsChanged(server_id)
    },
  }
  const all = new Map<string, ServerSessions>()
  const inspected = inspectedTools(
    () => new Map([...all].map(([server_id, { main }]) => [server_id, main.listing().tools])),
    ({ server_id, remote_name }) => isLeftOut(definition(server_id) ?? {}, remote_name),
  )
  let isStopped = false

  /** An invalid record of another program is not a definition. */
  function definition(server_id: string): McpServer | undefined {
    const read = readDefinition(ports.records.get('mcp_servers', server_id)?.payload)
    return read.ok && read.value.server_id === server_id ? read.value : undefined
  }

  function definitions(): McpServer[] {
    return ports.records.list('mcp_servers').flatMap(({ entity_id }) => definition(entity_id) ?? [])
  }

  function sessions(server_id: string): ServerSessions {
    const found = all.get(server_id) ?? serverSessions(server_id, () => definition(server_id), placed(server_id))
    all.set(server_id, found)
    return found
  }

  /** A server of a folder works there. */
  function placed(server_id: string): SessionPorts {
    const folder = folders.folderOf(server_id)
    return folder === null ? ports : { ...ports, place: { ...ports.place, workspace: folder } }
  }

  function supervisor(server_id: string): Supervisor {
    return sessions(server_id).main
  }

  /** Those in other workspaces end first: none may outlive the user's decision. */
  async function disconnect(server_id: string): Promise<McpServerStatus> {
    const { main, endOthers } = sessions(server_id)
    const [status] = await Promise.all([main.disconnect(), endOthers()])
    return status
  }

  async function redefined(server_id: string): Promise<void> {
    const { main, endOthers } = sessions(server_id)
    await Promise.all([main.redefined(), endOthers()])
  }

  function preview(server: McpServer): DefinitionPreview {
    const seen = previewDefinition(server)
    if (server.transport === 'http' || ports.enforcement() === 'os') return seen
    return { ...seen, warnings: [...seen.warnings, 'No sandbox is available on this machine: nothing would restrict this program.'] }
  }

  function unknown(server_id: string) {
    return mcpFailed(mcpFailure('unknown_server', server_id, `there is no server ${server_id}`))
  }

  function withServer<Value>(
    server_id: string,
    use: (supervisor: Supervisor, server: McpServer) => Value,
  ): Value | ReturnType<typeof unknown> {
    const server = definition(server_id)
    return server ? use(supervisor(server_id), server) : unknown(server_id)
  }

  function listed(server: McpServer): ListedServer {
    return {
      preview: preview(server),
      status: supervisor(server.server_id).status(),
      consent_problem: consentProblem(server, ports.consents.get(server.server_id)),
      network_hosts: ports.consents.get(server.server_id)?.network_hosts ?? [],
      sampling_limit: ports.consents.get(server.server_id)?.sampling_limit ?? 0,
      sign_in: server.transport === 'http' ? signIns.signedIn(server) : null,
      folder: folders.folderOf(server.server_id),
    }
  }

  function listedTools(server_id: string): ListedTool[] {
    return supervisor(server_id).listing().tools.map(inspected.of)
  }

  function exists(server_id: string): McpFailure | null {
    return ports.records.get('mcp_servers', server_id)
      ? mcpFailure('server_exists', server_id, `server ${server_id} already exists`, {
          field: { field: 'server.server_id', message: 'is the id of another server' },
        })
      : null
  }

  function consent(server: McpServer, approval: Approval): McpFailure | null {
    const definition_sha256 = definitionSha256(server)
    if (approval.definition_sha256 !== definition_sha256) {
      return mcpFailure('stale_approval', server.server_id, `${server.server_id} has changed since it was shown`)
    }
    const { network_hosts } = approval
    ports.consents.put({ server_id: server.server_id, definition_sha256, network_hosts, approved_at: timestamp(ports.clock.now()) })
    return null
  }

  async function write(server: McpServer, approval: Approval | null): Promise<McpOutcome<ListedServer>> {
    const { server_id } = server
    if (approval) {
      const problem = consent(server, approval)
      if (problem) return mcpFailed(problem)
    }
    ports.records.put('mcp_servers', server_id, server)
    return settle(server)
  }

  /** A server that its user has approved and enabled is connected from now on; this does not wait for it. */
  async function settle(server: McpServer): Promise<McpOutcome<ListedServer>> {
    await redefined(server.server_id)
    ports.toolsChanged(server.server_id)
    // A sign-in may end while the service stops.
    const isWanted = !isStopped && server.enabled && !consentProblem(server, ports.consents.get(server.server_id))
    if (isWanted) void supervisor(server.server_id).connect()
    return mcpSuccess(listed(server))
  }

  function refusalFor(server_id: string, run: Parameters<NonNullable<ToolOrigin['refusal']>>[0]) {
    const server = definition(server_id)
    const place = { folder: folders.folderOf(server_id), is_current: folders.isCurrent(server_id) }
    return server ? useRefusal(server, place, run) : null
  }

  function origin(server: McpServer, { tool, fingerprint }: McpTool): ToolOrigin {
    return toolStandingOf(server, fingerprint, {
      standing: () => service.standing(tool),
      approve: (now) => void service.approveTool(tool, now),
      refusal: (run) => refusalFor(server.server_id, run),
    })
  }

  const service: McpService = {
    ...openFolderConsent({ ...ports, folders, preview, consent, settle, remove: (server_id) => service.removeServer(server_id) }),
    async start(folder = null) {
      const wanted = definitions().filter(({ server_id, enabled }) => enabled && folders.folderOf(server_id) === folder)
      const tried = wanted.map(({ server_id }) => supervisor(server_id).connect())
      if (tried.length === 0) return
      const late = Promise.withResolvers<void>()
      const cancel = ports.clock.after(mcpLimits.patience_ms, late.resolve)
      await Promise.race([Promise.all(tried), late.promise])
      cancel()
    },
    async stop() {
      isStopped = true
      signIns.stop()
      await Promise.all([...all.keys()].map(disconnect))
      all.clear()
    },
    listServers: () => definitions().map(listed),
    previewServer(value) {
      const read = readDefinition(value)
      return read.ok ? mcpSuccess(preview(read.value)) : read
    },
    async addServer(value, approval) {
      const read = readDefinition(value)
      if (!read.ok) return read
      const taken = exists(read.value.server_id)
      return taken ? mcpFailed(taken) : write(read.value, approval)
    },
    async updateServer(value, approval) {
      const read = readDefinition(value)
      if (!read.ok) return read
      const { server_id } = read.value
      if (!definition(server_id)) return unknown(server_id)
      const folder = folders.folderOf(server_id)
      if (folder !== null) return mcpFailed(mcpFailure('server_of_folder', server_id, `${server_id} is defined by ${folder}/.mcp.json`))
      return write(read.value, approval)
    },
    async removeServer(server_id) {
      if (!ports.records.get('mcp_servers', server_id)) return unknown(server_id)
      await disconnect(server_id)
      ports.records.remove('mcp_servers', server_id)
      forget(server_id)
      return mcpSuccess({ server_id })
    },
    async approveServer(server_id, approval) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const problem = consent(server, approval)
      return problem ? mcpFailed(problem) : settle(server)
    },
    async revokeServer(server_id) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      ports.consents.remove(server_id)
      await redefined(server_id)
      ports.toolsChanged(server_id)
      return mcpSuccess(listed(server))
    },
    async setSecret(server_id, kind, name, value) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const problem = secretProblem(server, kind, name, value)
      if (problem) return mcpFailed(problem)
      ports.secrets.put(server_id, kind, name, value)
      await redefined(server_id)
      return mcpSuccess(listed(server))
    },
    async previewImport(text) {
      const read = await readImport(text, surroundings())
      if (!read.ok) return read
      return mcpSuccess({ ...read.value, servers: read.value.servers.map((each) => preview(each.preview.server)) })
    },
    async importServers(text, approvals) {
      const read = await readImport(text, surroundings())
      if (!read.ok) return read
      const added: ListedServer[] = []
      for (const approval of approvals) {
        const found = read.value.servers.find((each) => each.preview.server.server_id === approval.server_id)
        if (!found) return unknown(approval.server_id)
        const { server } = found.preview
        const problem = exists(server.server_id) ?? consent(server, approval)
        if (problem) return mcpFailed(problem)
        for (const { kind, name, value } of found.secrets) ports.secrets.put(server.server_id, kind, name, value)
        const written = await write(server, null)
        if (!written.ok) return written
        added.push(written.value)
      }
      return mcpSuccess(added)
    },
    async beginSignIn(server_id, request) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const refusal = signInRefusal(server)
      if (refusal !== null || server.transport !== 'http')
        return mcpFailed(mcpFailure('sign_in_not_offered', server_id, `${server_id} ${refusal}`))
      const admission = admit(server, ports)
      return admission.ok ? signIns.begin({ ...admission.value, server }, request) : admission
    },
    waitForSignIn: (sign_in_id, ms) => signIns.wait(sign_in_id, ms),
    async signOut(server_id) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      if (server.transport === 'http') await signIns.signOut(server)
      return settle(server)
    },
    testServer: async (server_id) => withServer(server_id, (each) => each.test()),
    connectServer: async (server_id) => withServer(server_id, (each) => each.connect()),
    disconnectServer: async (server_id) => withServer(server_id, async () => mcpSuccess(await disconnect(server_id))),
    async refreshTools(server_id) {
      const refreshed = await withServer(server_id, (each) => each.refresh())
      return refreshed.ok ? mcpSuccess(listedTools(server_id)) : refreshed
    },
    listTools: (server_id) =>
      withServer(server_id, (each) => mcpSuccess({ tools: listedTools(server_id), problems: each.listing().problems })),
    approveTool(name, fingerprint) {
      const found = service.standing(name)
      if (!found) return mcpFailed(mcpFailure('tool_missing', name, `there is no tool ${name}`))
      if (found.tool.fingerprint !== fingerprint)
        return mcpFailed(mcpFailure('stale_approval', name, `${name} has changed since it was shown`))
      ports.consents.approveTool(found.tool.server_id, name, fingerprint, timestamp(ports.clock.now()))
      if (found.withheld) ports.toolsChanged(found.tool.server_id)
      return mcpSuccess(service.standing(name) ?? found)
    },
    readLog: (server_id) => withServer(server_id, (each) => mcpSuccess(each.log.read())),
    async listResources(server_id) {
      const resources = await withServer(server_id, (each) => each.list('resources/list'))
      if (!resources.ok) return resources
      const templates = await withServer(server_id, (each) => each.list('resources/templates/list'))
      return mcpSuccess({ resources: resources.value, templates: templates.ok ? templates.value : [] })
    },
    readResource: async (server_id, uri, signal) =>
      withServer(server_id, (each) => each.ask({ method: 'resources/read', params: { uri } }, signal)),
    listPrompts: async (server_id) => withServer(server_id, (each) => each.list('prompts/list')),
    getPrompt: async (server_id, name, values, signal) =>
      withServer(server_id, (each) => each.ask({ method: 'prompts/get', params: { name, arguments: { ...values } } }, signal)),
    tools: () =>
      definitions().flatMap((server) => {
        if (!server.enabled || consentProblem(server, ports.consents.get(server.server_id))) return []
        const shown = listedTools(server.server_id).filter(({ withheld, left_out }) => !withheld && !left_out)
        return shown.map(({ tool }) => dynamicTool(server, tool, origin(server, tool), sessions(server.server_id), ports))
      }),
    standing(name) {
      const found = all.get(serverOf(name) ?? '')?.main.tool(name)
      return found && inspected.of(found)
    },
    instructions: (server_id) => all.get(server_id)?.main.instructions() ?? '',
    async allowSampling(server_id, limit) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const problem = consentProblem(server, ports.consents.get(server_id))
      if (problem) return mcpFailed(problem)
      ports.consents.allowSampling(server_id, limit)
      return settle(server)
    },
    async definitionsChanged(server_ids) {
      for (const server_id of server_ids) {
        const server = definition(server_id)
        if (!server) {
          if (all.has(server_id)) await disconnect(server_id)
          forget(server_id)
        } else {
          await redefined(server_id)
          ports.toolsChanged(server_id)
        }
      }
    },
  }

  /** What references in an import mean on this device. */
  function surroundings() {
    const { environment, place } = ports
    return { environment, home: environment.HOME ?? homedir(), workspace: place.workspace }
  }

  /** A later server of the same name starts without an old approval. */
  function forget(server_id: string): void {
    all.delete(server_id)
    signIns.forget(server_id)
    ports.consents.remove(server_id)
    ports.secrets.remove(server_id)
    ports.toolsChanged(server_id)
  }

  return service
}

/** Why there is no sign-in for this server; continues a sentence about it. */
function signInRefusal(server: McpServer): string | null {
  if (server.transport === 'stdio') return 'is a program on this device, which signs in by itself'
  const isAuthorized = server.header_names.some((name) => name.toLowerCase() === 'authorization')
  return isAuthorized ? 'uses the Authorization header of its definition instead of a sign-in' : null
}
