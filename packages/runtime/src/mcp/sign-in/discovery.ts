// Finds out where a user signs in to an MCP server, starting from the refusal of the server.
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import { addressFault } from './address.ts'
import type { Challenge } from './challenge.ts'
import {
  type AuthorizationServer,
  authorizationServerAddresses,
  type Read,
  type ResourceMetadata,
  readAuthorizationServer,
  readResourceMetadata,
  resourceMetadataAddresses,
} from './metadata.ts'
import { requestJson, type SignInNetwork, unsafe } from './request.ts'

export interface Discovery {
  readonly resource: string
  readonly scope: string | null
  readonly server: AuthorizationServer
}

export async function discover(
  network: SignInNetwork,
  { server_id, url }: { readonly server_id: string; readonly url: string },
  challenge: Challenge | null,
): Promise<McpOutcome<Discovery>> {
  const named = challenge?.resource_metadata ?? null
  const fault = named === null ? null : addressFault(named, url)
  if (fault) return unsafe(server_id, `the address of its metadata ${fault}`)
  const about = await firstDocument(network, server_id, named === null ? resourceMetadataAddresses(url) : [named], (document) =>
    readResourceMetadata(document, url),
  )
  if (!about.ok) return about
  // Servers of the first OAuth version have no such metadata: they are their own authorization server.
  const { origin } = new URL(url)
  const metadata: ResourceMetadata = about.value ?? { resource: url, issuer: origin, scope: null }
  const ownFault = addressFault(metadata.issuer, url)
  if (ownFault) return unsafe(server_id, `the address of its authorization server ${ownFault}`)
  const found = await firstDocument(network, server_id, authorizationServerAddresses(metadata.issuer), (document) =>
    readAuthorizationServer(document, metadata.issuer, url),
  )
  if (!found.ok) return found
  if (!found.value) return notOffered(server_id, about.value ? `${metadata.issuer} does not describe how to sign in` : null)
  return mcpSuccess({ resource: metadata.resource, scope: challenge?.scope ?? metadata.scope, server: found.value })
}

/** The first address with a document decides: a wrong document is refused, not skipped. Undefined if no address has one. */
async function firstDocument<Value>(
  network: SignInNetwork,
  server_id: string,
  addresses: readonly string[],
  read: (document: Readonly<Record<string, unknown>>) => Read<Value>,
): Promise<McpOutcome<Value | undefined>> {
  for (const address of addresses) {
    const answer = await requestJson(network, server_id, { url: address })
    if (!answer.ok) return answer
    const { status, document } = answer.value
    if (status >= 500) {
      const message = `the sign-in to ${server_id} failed: ${address} responded with ${status}`
      return mcpFailed(mcpFailure('sign_in_failed', server_id, message))
    }
    // Many servers respond to every address with a page.
    if (status !== 200 || !document) continue
    const value = read(document)
    return typeof value === 'string' ? unsafe(server_id, `the document at ${address} ${value}`) : mcpSuccess(value)
  }
  return mcpSuccess(undefined)
}

function notOffered(server_id: string, why: string | null) {
  return mcpFailed(mcpFailure('sign_in_not_offered', server_id, why ?? `${server_id} does not describe how to sign in`))
}
