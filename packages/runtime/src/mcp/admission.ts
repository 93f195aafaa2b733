// Whether a server may be started on this device, and with which values.
import type { McpServer } from '@tandem/contract/mcp'
import { definitionSha256 } from './definition.ts'
import { type McpFailure, type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'
import type { McpPorts, ServerApproval } from './ports.ts'
import { openCredentials } from './sign-in/credentials.ts'

export interface Admission {
  readonly server: McpServer
  readonly consent: ServerApproval
  readonly env: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Which sign-in its requests use; null if nobody signed in. */
  readonly signed_in_at: string | null
  /** Value to name, for redaction in the log. */
  readonly hidden: ReadonlyMap<string, string>
}

/** An approval on another device, a request of a model or the approval of an older definition starts nothing. */
export function consentProblem(server: McpServer, consent: ServerApproval | undefined): McpFailure | null {
  if (!consent) return mcpFailure('consent_needed', server.server_id, `${server.server_id} was never approved on this device`)
  if (consent.definition_sha256 === definitionSha256(server)) return null
  return mcpFailure('definition_changed', server.server_id, `the definition of ${server.server_id} has changed since it was approved`)
}

export function admit(server: McpServer, ports: Pick<McpPorts, 'consents' | 'secrets' | 'environment'>): McpOutcome<Admission> {
  const { server_id } = server
  if (!server.enabled) return mcpFailed(mcpFailure('server_disabled', server_id, `${server_id} is disabled`))
  const consent = ports.consents.get(server_id)
  const problem = consentProblem(server, consent)
  if (problem || !consent) return mcpFailed(problem ?? mcpFailure('consent_needed', server_id, `${server_id} was never approved`))

  const hidden = new Map<string, string>()
  const missing: { readonly kind: string; readonly name: string }[] = []
  function values(kind: 'env' | 'header' | 'query', names: readonly string[]): Record<string, string> {
    const found: [string, string][] = []
    for (const name of names) {
      const value = ports.secrets.get(server_id, kind, name) ?? (kind === 'env' ? ports.environment[name] : undefined)
      if (value === undefined) missing.push({ kind, name })
      else {
        found.push([name, value])
        hidden.set(value, name)
      }
    }
    return Object.fromEntries(found)
  }

  const admission = {
    server,
    consent,
    env: values('env', server.transport === 'stdio' ? server.env_names : []),
    headers: values('header', server.transport === 'http' ? server.header_names : []),
    query: values('query', server.transport === 'http' ? server.query_names : []),
    signed_in_at: server.transport === 'http' ? (openCredentials(ports.secrets).read(server)?.signed_in_at ?? null) : null,
    hidden,
  }
  if (missing.length > 0) return mcpFailed(missingSecret(server_id, missing))
  return mcpSuccess(admission)
}

function missingSecret(server_id: string, missing: readonly { readonly kind: string; readonly name: string }[]): McpFailure {
  const names = missing.map(({ name }) => name).join(', ')
  const commands = missing.map(({ kind, name }) => `tandem mcp secret ${server_id} ${kind} ${name}`)
  const remedy = `Set the value on this device; it is not synchronized: ${commands.join('; ')}`
  return mcpFailure('missing_secret', names, `${server_id} needs a value for ${names}`, { remedy })
}
