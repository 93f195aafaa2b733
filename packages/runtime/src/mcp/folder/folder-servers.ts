// The approved servers of folders, next to the synchronized ones. They stay on this device.
import type { McpServer } from '@tandem/contract/mcp'
import type { Store } from '../../store/store.ts'
import { readDefinition } from '../definition.ts'
import type { ServerApprovals, ServerRecords } from '../ports.ts'
import { folderFileSha256 } from './folder-file.ts'

export interface FolderServers {
  /** The folder of a server; null for a server that has none. */
  folderOf(server_id: string): string | null
  /** Whether the file of its folder is the one that was approved; true for a server that has no folder. */
  isCurrent(server_id: string): boolean
  /** Whether a copy of its folder still has the file that was approved. */
  isCurrentIn(server_id: string, copy: string): boolean
  /** The file that was approved; null if none was. */
  approvedFile(folder: string): string | null
  /** The file that the user decided about last; null if there was none. */
  decidedFile(folder: string): string | null
  decide(folder: string, file_sha256: string): void
  ofFolder(folder: string): readonly string[]
  put(folder: string, file_sha256: string, server: McpServer): void
  /** The definitions of both kinds. Those of folders are only removed there, never changed. */
  withRecords(records: ServerRecords): ServerRecords
  /** An approval counts only while the file is the same. */
  withConsents(consents: ServerApprovals): ServerApprovals
}

interface FolderServerRow {
  readonly server_id: string
  readonly folder: string
  readonly file_sha256: string
  readonly definition: string
}

export function openFolderServers({ sql }: Pick<Store, 'sql'>): FolderServers {
  const rowOf = (server_id: string) => sql.get<FolderServerRow>`SELECT * FROM mcp_folder_servers WHERE server_id = ${server_id}`
  const isCurrent = (server_id: string) => {
    const row = rowOf(server_id)
    return !row || folderFileSha256(row.folder) === row.file_sha256
  }
  return {
    folderOf: (server_id) => rowOf(server_id)?.folder ?? null,
    isCurrent,
    isCurrentIn: (server_id, copy) => folderFileSha256(copy) === rowOf(server_id)?.file_sha256,
    approvedFile(folder) {
      const row = sql.get<FolderServerRow>`SELECT * FROM mcp_folder_servers WHERE folder = ${folder} LIMIT 1`
      return row?.file_sha256 ?? null
    },
    decidedFile: (folder) =>
      sql.get<Pick<FolderServerRow, 'file_sha256'>>`SELECT file_sha256 FROM mcp_folder_files WHERE folder = ${folder}`?.file_sha256 ?? null,
    decide(folder, file_sha256) {
      sql.run`INSERT OR REPLACE INTO mcp_folder_files (folder, file_sha256) VALUES (${folder}, ${file_sha256})`
    },
    ofFolder: (folder) =>
      sql.all<FolderServerRow>`SELECT * FROM mcp_folder_servers WHERE folder = ${folder} ORDER BY server_id`.map(
        ({ server_id }) => server_id,
      ),
    put(folder, file_sha256, server) {
      sql.run`
        INSERT OR REPLACE INTO mcp_folder_servers (server_id, folder, file_sha256, definition)
        VALUES (${server.server_id}, ${folder}, ${file_sha256}, ${JSON.stringify(server)})`
    },
    withRecords: (records) => ({
      get(type, server_id) {
        const row = rowOf(server_id)
        return row ? recordOf(row) : records.get(type, server_id)
      },
      list(type) {
        const rows = sql.all<FolderServerRow>`SELECT * FROM mcp_folder_servers ORDER BY server_id`
        return [...records.list(type), ...rows.flatMap((row) => recordOf(row) ?? [])]
      },
      put: records.put,
      remove(type, server_id) {
        if (!rowOf(server_id)) return records.remove(type, server_id)
        sql.run`DELETE FROM mcp_folder_servers WHERE server_id = ${server_id}`
        return true
      },
    }),
    withConsents: (consents) => ({
      ...consents,
      get(server_id) {
        const consent = consents.get(server_id)
        return consent && !isCurrent(server_id) ? { ...consent, definition_sha256: 'the file has changed' } : consent
      },
    }),
  }
}

function recordOf({ server_id, definition }: FolderServerRow) {
  const read = readDefinition(JSON.parse(definition))
  return read.ok ? { entity_id: server_id, payload: read.value } : undefined
}
