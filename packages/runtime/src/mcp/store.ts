// Device-only data about MCP servers: the approvals of the user, and the values of secrets. Never synchronized.
import type { Store } from '../store/store.ts'
import type { Secrets, ServerApprovals } from './ports.ts'

interface ConsentRow {
  readonly server_id: string
  readonly definition_sha256: string
  readonly network_hosts: string
  readonly approved_at: string
  readonly sampling_limit: number
}

export function openConsents(store: Store): ServerApprovals {
  const { sql } = store
  return {
    get(server_id) {
      const row = sql.get<ConsentRow>`SELECT * FROM mcp_consents WHERE server_id = ${server_id}`
      return row && { ...row, network_hosts: JSON.parse(row.network_hosts) }
    },
    put({ server_id, definition_sha256, network_hosts, approved_at }) {
      sql.run`
        INSERT OR REPLACE INTO mcp_consents (server_id, definition_sha256, network_hosts, approved_at)
        VALUES (${server_id}, ${definition_sha256}, ${JSON.stringify(network_hosts)}, ${approved_at})`
    },
    allowSampling(server_id, limit) {
      sql.run`UPDATE mcp_consents SET sampling_limit = ${limit} WHERE server_id = ${server_id}`
    },
    remove(server_id) {
      store.transaction(() => {
        sql.run`DELETE FROM mcp_consents WHERE server_id = ${server_id}`
        sql.run`DELETE FROM mcp_tool_consents WHERE server_id = ${server_id}`
      })
    },
    toolFingerprint(tool) {
      const row = sql.get`SELECT fingerprint FROM mcp_tool_consents WHERE tool = ${tool}`
      return row && String(row.fingerprint)
    },
    approveTool(server_id, tool, fingerprint, approved_at) {
      sql.run`
        INSERT OR REPLACE INTO mcp_tool_consents (tool, server_id, fingerprint, approved_at)
        VALUES (${tool}, ${server_id}, ${fingerprint}, ${approved_at})`
    },
  }
}

export function openSecrets(store: Store): Secrets {
  const { sql } = store
  return {
    get(server_id, kind, name) {
      const row = sql.get`SELECT value FROM mcp_secrets WHERE server_id = ${server_id} AND kind = ${kind} AND name = ${name}`
      return row && String(row.value)
    },
    put(server_id, kind, name, value) {
      sql.run`INSERT OR REPLACE INTO mcp_secrets (server_id, kind, name, value) VALUES (${server_id}, ${kind}, ${name}, ${value})`
    },
    remove(server_id, kind) {
      if (kind === undefined) sql.run`DELETE FROM mcp_secrets WHERE server_id = ${server_id}`
      else sql.run`DELETE FROM mcp_secrets WHERE server_id = ${server_id} AND kind = ${kind}`
    },
  }
}
