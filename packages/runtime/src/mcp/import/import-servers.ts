// Adding the servers of another client: each with its own approval.
import { homedir } from 'node:os'
import type { NamedApproval } from '../approval.ts'
import type { DefinitionPreview } from '../definition.ts'
import { type McpOutcome, mcpFailed, mcpSuccess } from '../failure.ts'
import type { ListedServer, Servers } from '../servers.ts'
import { type Import, readImport } from './import.ts'

export interface ServerImports {
  previewImport(text: string): Promise<McpOutcome<Omit<Import, 'servers'> & { readonly servers: readonly DefinitionPreview[] }>>
  importServers(text: string, approvals: readonly NamedApproval[]): Promise<McpOutcome<readonly ListedServer[]>>
}

export function openServerImports({ ports, preview, taken, unknown, consent, write }: Servers): ServerImports {
  const { environment, place, secrets } = ports
  // What references in an import mean on this device.
  const surroundings = { environment, home: environment.HOME ?? homedir(), workspace: place.workspace }
  return {
    async previewImport(text) {
      const read = await readImport(text, surroundings)
      if (!read.ok) return read
      return mcpSuccess({ ...read.value, servers: read.value.servers.map((each) => preview(each.preview.server)) })
    },
    async importServers(text, approvals) {
      const read = await readImport(text, surroundings)
      if (!read.ok) return read
      const added: ListedServer[] = []
      for (const approval of approvals) {
        const found = read.value.servers.find((each) => each.preview.server.server_id === approval.server_id)
        if (!found) return unknown(approval.server_id)
        const { server } = found.preview
        const problem = taken(server.server_id) ?? consent(server, approval)
        if (problem) return mcpFailed(problem)
        for (const { kind, name, value } of found.secrets) secrets.put(server.server_id, kind, name, value)
        const written = await write(server, null)
        if (!written.ok) return written
        added.push(written.value)
      }
      return mcpSuccess(added)
    },
  }
}
