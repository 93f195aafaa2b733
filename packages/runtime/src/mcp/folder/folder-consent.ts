// The servers of a folder, and the user's consent to them: it names the hash of the file and of each definition that was shown.
import { homedir } from 'node:os'
import type { NamedApproval } from '../approval.ts'
import type { DefinitionPreview } from '../definition.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import type { ImportNote } from '../import/import.ts'
import type { Servers } from '../servers.ts'
import { type FolderFile, folderFileSha256, readFolderFile } from './folder-file.ts'
import { type FolderState, folderState } from './folder-state.ts'

export interface McpFolder {
  readonly folder: string
  readonly state: FolderState
  readonly file: string
  readonly file_sha256: string | null
  readonly servers: readonly { readonly preview: DefinitionPreview; readonly approved: boolean }[]
  readonly problems: readonly ImportNote[]
  readonly notes: readonly ImportNote[]
}

export interface FolderConsent {
  readFolder(folder: string): Promise<McpOutcome<McpFolder>>
  /** Approves these servers, and declines the others. */
  approveFolder(folder: string, file_sha256: string, approvals: readonly NamedApproval[]): Promise<McpOutcome<McpFolder>>
  /** Its servers stop, and are forgotten with their secrets. The current file counts as declined. */
  revokeFolder(folder: string): Promise<McpOutcome<McpFolder>>
}

export function openFolderConsent(all: Servers): FolderConsent {
  const { folders, environment, secrets } = all.ports

  function shown(folder: string, { path, file_sha256, servers, problems, notes }: FolderFile): McpFolder {
    const [approvedFile, approved] = [folders.approvedFile(folder), new Set(folders.ofFolder(folder))]
    const isSame = approvedFile !== null && approvedFile === file_sha256
    return {
      folder,
      file: path,
      file_sha256,
      state: folderState({ file_sha256, approved: approvedFile, decided: folders.decidedFile(folder) }),
      servers: servers.map(({ preview }) => ({
        preview: all.preview(preview.server),
        approved: isSame && approved.has(preview.server.server_id),
      })),
      problems,
      notes,
    }
  }

  const read = (folder: string) => readFolderFile(folder, { environment, home: environment.HOME ?? homedir() })

  async function readFolder(folder: string): Promise<McpOutcome<McpFolder>> {
    const file = await read(folder)
    return file.ok ? mcpSuccess(shown(folder, file.value)) : file
  }

  return {
    readFolder,
    async approveFolder(folder, file_sha256, approvals) {
      const file = await read(folder)
      if (!file.ok) return file
      const { path, servers } = file.value
      if (file.value.file_sha256 !== file_sha256)
        return mcpFailed(mcpFailure('stale_approval', path, `${path} has changed since it was shown`))
      const chosen = approvals.map((approval) => ({
        approval,
        found: servers.find(({ preview }) => preview.server.server_id === approval.server_id),
      }))
      const missing = chosen.find(({ found }) => !found)
      if (missing) {
        const { server_id } = missing.approval
        return mcpFailed(mcpFailure('unknown_server', server_id, `${path} has no server ${server_id}`))
      }
      // What is no longer approved must not keep an earlier approval.
      for (const server_id of folders.ofFolder(folder))
        if (!approvals.some((approval) => approval.server_id === server_id)) await all.remove(server_id)
      for (const { approval, found } of chosen) {
        if (!found) continue
        const { server } = found.preview
        const problem = all.consent(server, approval)
        if (problem) return mcpFailed(problem)
        secrets.remove(server.server_id)
        for (const { kind, name, value } of found.secrets) secrets.put(server.server_id, kind, name, value)
        folders.put(folder, file_sha256, server)
        await all.settle(server)
      }
      folders.decide(folder, file_sha256)
      return mcpSuccess(shown(folder, file.value))
    },
    async revokeFolder(folder) {
      for (const server_id of folders.ofFolder(folder)) await all.remove(server_id)
      const file_sha256 = folderFileSha256(folder)
      if (file_sha256 !== null) folders.decide(folder, file_sha256)
      return readFolder(folder)
    },
  }
}
