// The `.mcp.json` of a folder: written by whoever wrote the folder, so it starts nothing. Servers get ids that no other folder has.
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemErrorText } from '@tandem/contract/system-error'
import { previewDefinition } from '../definition.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import type { ImportedServer } from '../import/entry.ts'
import { type Import, readImport } from '../import/import.ts'

const folderFileName = '.mcp.json'

export interface FolderFile extends Import {
  readonly path: string
  /** Null if there is no file. */
  readonly file_sha256: string | null
}

const longest = 1024 * 1024

export async function readFolderFile(
  folder: string,
  surroundings: { readonly environment: Readonly<Record<string, string | undefined>>; readonly home: string },
): Promise<McpOutcome<FolderFile>> {
  const path = join(folder, folderFileName)
  const read = contentOf(path)
  if (read === null) return mcpSuccess({ path, file_sha256: null, servers: [], problems: [], notes: [] })
  if (typeof read === 'string') return mcpFailed(mcpFailure('invalid_definition', path, `${path} ${read}`))
  const imported = await readImport(read.toString('utf8'), { ...surroundings, workspace: folder })
  if (!imported.ok) return mcpFailed({ ...imported.failure, subject: path, message: imported.failure.message.replace('the text', path) })
  const { servers, problems, notes } = imported.value
  const idOf = (server_id: string) => folderServerId(server_id, folder)
  return mcpSuccess({
    path,
    file_sha256: sha256(read),
    servers: servers.map((one) => renamed(one, idOf)),
    problems,
    notes: notes.map(({ name, message }) => ({ name: idOf(name), message: message.replaceAll(name, idOf(name)) })),
  })
}

/** The hash of the current file; null if there is none that can be read. */
export function folderFileSha256(folder: string): string | null {
  const read = contentOf(join(folder, folderFileName))
  return read instanceof Buffer ? sha256(read) : null
}

/** The same server of the same folder always has the same id. */
function folderServerId(server_id: string, folder: string): string {
  return `${server_id.slice(0, 55)}-${sha256(Buffer.from(folder)).slice(0, 8)}`
}

/** Null if it does not exist; a string is the fault. A link is not followed: it may lead anywhere. */
function contentOf(path: string): Buffer | string | null {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return null
    return code === 'ELOOP' ? 'is a link, which is not followed' : `cannot be read: ${systemErrorText(error)}`
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return 'is not a file'
    return stats.size > longest ? 'is larger than 1 MiB' : readFileSync(file)
  } catch (error) {
    return `cannot be read: ${systemErrorText(error)}`
  } finally {
    closeSync(file)
  }
}

function renamed({ preview, secrets, notes }: ImportedServer, idOf: (server_id: string) => string): ImportedServer {
  const server = { ...preview.server, server_id: idOf(preview.server.server_id) }
  return { preview: previewDefinition(server), secrets, notes }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
