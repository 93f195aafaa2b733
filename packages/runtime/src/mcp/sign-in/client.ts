// The client that Tandem is for an authorization server: one that the user registered, or one that Tandem registers (RFC 7591).
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from '../failure.ts'
import type { EnteredClient, OAuthClient } from './credentials.ts'
import type { AuthorizationServer } from './metadata.ts'
import { requestJson, type SignInNetwork, unsafe } from './request.ts'
import { errorText } from './token-endpoint.ts'

const methods = ['none', 'client_secret_post', 'client_secret_basic'] as const

export function enteredClient({ client_id, client_secret }: EnteredClient, { auth_methods }: AuthorizationServer): OAuthClient {
  if (client_secret === null) return { client_id, client_secret, auth_method: 'none' }
  const isPost = auth_methods?.includes('client_secret_post') && !auth_methods.includes('client_secret_basic')
  return { client_id, client_secret, auth_method: isPost ? 'client_secret_post' : 'client_secret_basic' }
}

/** A new client for each sign-in: its redirect address has the port of this sign-in, and many servers compare the whole address. */
export async function registerClient(
  network: SignInNetwork,
  server_id: string,
  server: AuthorizationServer,
  redirect_uri: string,
  scope: string | null,
): Promise<McpOutcome<OAuthClient>> {
  if (server.registration_endpoint === null) {
    const message = `${new URL(server.issuer).host} accepts only clients that were registered there`
    return mcpFailed(mcpFailure('client_id_needed', server_id, message))
  }
  const wanted = methods.find((method) => server.auth_methods?.includes(method)) ?? 'none'
  const body = JSON.stringify({
    client_name: 'Tandem',
    application_type: 'native',
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: wanted,
    ...(scope === null ? {} : { scope }),
  })
  const answer = await requestJson(network, server_id, {
    url: server.registration_endpoint,
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) return answer
  const { status, document } = answer.value
  if (status < 200 || status > 299) {
    const message = `${new URL(server.issuer).host} did not register Tandem as a client: ${errorText(answer.value)}`
    return mcpFailed(mcpFailure('client_id_needed', server_id, message))
  }
  const client_id = document?.client_id
  const client_secret = document?.client_secret ?? null
  if (!isText(client_id) || (client_secret !== null && !isText(client_secret)))
    return unsafe(server_id, 'the registration response has no valid client_id')
  const given = methods.find((method) => method === document?.token_endpoint_auth_method) ?? wanted
  return mcpSuccess({
    client_id,
    client_secret,
    auth_method: client_secret === null ? 'none' : given === 'none' ? 'client_secret_post' : given,
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,4096}$/.test(value)
}
