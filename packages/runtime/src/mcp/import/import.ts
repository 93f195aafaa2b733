// Reads the servers of other clients as untrusted input: nothing is stored or started by reading. What is not taken over is listed.
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { readConfiguration } from './configuration.ts'
import { type ImportedServer, readEntry } from './entry.ts'
import { isFields } from './fields.ts'
import type { ReferenceContext } from './references.ts'

export interface ImportNote {
  readonly name: string
  readonly message: string
}

export interface Import {
  readonly servers: readonly ImportedServer[]
  /** Servers that cannot be imported. */
  readonly problems: readonly ImportNote[]
  /** What differs for servers that can. */
  readonly notes: readonly ImportNote[]
}

const longestText = 1024 * 1024
const mostServers = 200

export async function readImport(
  text: string,
  surroundings: Omit<ReferenceContext, 'inputs' | 'has_bare_references'>,
): Promise<McpOutcome<Import>> {
  if (text.length > longestText) return unreadable('is larger than 1 MiB')
  const configuration = await readConfiguration(text)
  if (typeof configuration === 'string') return unreadable(configuration)
  const { off, has_bare_references } = configuration.settings
  const context = { ...surroundings, inputs: configuration.inputs, has_bare_references }
  const servers: ImportedServer[] = []
  const problems: ImportNote[] = [...configuration.problems]
  const taken = new Set<string>()
  for (const [index, [name, entry]] of configuration.servers.entries()) {
    const server_id = freeId(name, taken)
    const read =
      index >= mostServers
        ? `a file may have ${mostServers} servers`
        : name.trim() === ''
          ? 'its name is empty'
          : isFields(entry)
            ? readEntry(name, entry, server_id, context, off.get(name) ?? null)
            : 'it is not an object'
    if (typeof read === 'string') problems.push({ name: name.slice(0, 200) || '(no name)', message: read })
    else {
      taken.add(server_id)
      servers.push(read)
    }
  }
  const notes = servers.flatMap(({ preview, notes: all }) => all.map((message) => ({ name: preview.server.server_id, message })))
  return mcpSuccess({ servers, problems: problems.slice(0, 1_000), notes })
}

function unreadable(problem: string): McpOutcome<never> {
  return mcpFailed(mcpFailure('invalid_definition', 'mcpServers', `the text ${problem}`, { field: { field: 'text', message: problem } }))
}

function freeId(name: string, taken: Set<string>): string {
  const plain =
    name
      .replace(/[^A-Za-z0-9_-]+/g, '-')
      .replace(/^[-_]+|-+$/g, '')
      .slice(0, 60) || 'server'
  let id = plain
  for (let round = 2; taken.has(id); round += 1) id = `${plain}-${round}`
  return id
}
