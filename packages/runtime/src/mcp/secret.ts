// Values that a user enters for a server: which names it has, and which values it can be given.
import type { McpServer } from '@tandem/contract/mcp'
import { noNul } from './definition.ts'
import { type McpFailure, mcpFailure } from './failure.ts'
import type { SecretKind } from './ports.ts'

const kinds = { env: 'variable', header: 'header', query: 'query parameter' } as const

/** Why the value can't be stored, or null. */
export function secretProblem(server: McpServer, kind: SecretKind, name: string, value: string): McpFailure | null {
  const { server_id } = server
  if (!secretNames(server, kind).includes(name))
    return mcpFailure('invalid_definition', name, `${server_id} has no ${kinds[kind]} called ${name}`, {
      field: { field: 'name', message: `is not the name of a ${kinds[kind]} of this server` },
    })
  const fault = secretFault(kind, value)
  return fault === null
    ? null
    : mcpFailure('invalid_definition', name, `the value of ${name} ${fault}`, { field: { field: 'value', message: fault } })
}

function secretNames(server: McpServer, kind: SecretKind): readonly string[] {
  if (server.transport === 'stdio') return kind === 'env' ? server.env_names : []
  return { env: [], header: server.header_names, query: server.query_names }[kind]
}

/** Why a value can't be given to a server; null when it can. The value itself is not repeated: it is a secret. */
function secretFault(kind: SecretKind, value: string): string | null {
  if (kind === 'env') return value.includes('\0') ? noNul : null
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are meant.
  return kind === 'header' && /[\x00-\x08\x0a-\x1f\x7f]/.test(value) ? 'must not contain control characters or line breaks' : null
}
