// What a user changes about a server: its definition, its approval, its secrets.
import { consentProblem } from './admission.ts'
import type { Approval } from './approval.ts'
import { type DefinitionPreview, readDefinition } from './definition.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'
import type { SecretKind } from './ports.ts'
import { secretProblem } from './secret.ts'
import type { ListedServer, Servers } from './servers.ts'

export interface ServerChanges {
  previewServer(definition: unknown): McpOutcome<DefinitionPreview>
  addServer(definition: unknown, approval: Approval | null): Promise<McpOutcome<ListedServer>>
  updateServer(definition: unknown, approval: Approval | null): Promise<McpOutcome<ListedServer>>
  removeServer(server_id: string): Promise<McpOutcome<{ readonly server_id: string }>>
  approveServer(server_id: string, approval: Approval): Promise<McpOutcome<ListedServer>>
  revokeServer(server_id: string): Promise<McpOutcome<ListedServer>>
  setSecret(server_id: string, kind: SecretKind, name: string, value: string): Promise<McpOutcome<ListedServer>>
  /** How many requests to the model a server may make in one run; none by default. */
  allowSampling(server_id: string, limit: number): Promise<McpOutcome<ListedServer>>
  /** A definition was written or removed by sync. */
  definitionsChanged(server_ids: readonly string[]): Promise<void>
}

export function openServerChanges(servers: Servers): ServerChanges {
  const { ports, definition, unknown, listed, settle, redefined } = servers
  return {
    previewServer(value) {
      const read = readDefinition(value)
      return read.ok ? mcpSuccess(servers.preview(read.value)) : read
    },
    async addServer(value, approval) {
      const read = readDefinition(value)
      if (!read.ok) return read
      const taken = servers.taken(read.value.server_id)
      return taken ? mcpFailed(taken) : servers.write(read.value, approval)
    },
    async updateServer(value, approval) {
      const read = readDefinition(value)
      if (!read.ok) return read
      const { server_id } = read.value
      if (!definition(server_id)) return unknown(server_id)
      const folder = ports.folders.folderOf(server_id)
      if (folder !== null) return mcpFailed(mcpFailure('server_of_folder', server_id, `${server_id} is defined by ${folder}/.mcp.json`))
      return servers.write(read.value, approval)
    },
    removeServer: servers.remove,
    async approveServer(server_id, approval) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const problem = servers.consent(server, approval)
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
        if (definition(server_id)) {
          await redefined(server_id)
          ports.toolsChanged(server_id)
          continue
        }
        if (servers.opened().has(server_id)) await servers.disconnect(server_id)
        servers.forget(server_id)
      }
    },
  }
}
