// What a sign-in leaves behind: tokens, and the client they belong to. Stored with the other secrets of the server, on this device only.
import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import type { Secrets } from '../ports.ts'

const Text = Type.String()
const TextOrNull = Type.Union([Text, Type.Null()])
const NumberOrNull = Type.Union([Type.Number(), Type.Null()])

const OAuthClient = Type.Object({
  client_id: Text,
  client_secret: TextOrNull,
  auth_method: Type.Union([Type.Literal('none'), Type.Literal('client_secret_post'), Type.Literal('client_secret_basic')]),
})
export type OAuthClient = Static<typeof OAuthClient>

const Credentials = Type.Object({
  /** The address of the MCP server. The tokens are not sent to another one, even if the definition changes. */
  url: Text,
  issuer: Text,
  token_endpoint: Text,
  revocation_endpoint: TextOrNull,
  resource: Text,
  client: OAuthClient,
  /** Null when the authorization server no longer accepts the sign-in: the user must sign in again. */
  access_token: TextOrNull,
  refresh_token: TextOrNull,
  obtained_at: Type.Number(),
  expires_at: NumberOrNull,
  signed_in_at: Text,
})
export type Credentials = Static<typeof Credentials>

/** A client that the user registered, for one authorization server. */
const EnteredClient = Type.Object({ issuer: Text, client_id: Text, client_secret: TextOrNull })
export type EnteredClient = Static<typeof EnteredClient>

export interface CredentialStore {
  /** Those for this address of the server. */
  read(server: { readonly server_id: string; readonly url: string }): Credentials | null
  write(server_id: string, credentials: Credentials): void
  remove(server_id: string): void
  enteredClient(server_id: string, issuer: string): EnteredClient | null
  enterClient(server_id: string, client: EnteredClient): void
}

export function openCredentials(secrets: Secrets): CredentialStore {
  function stored(server_id: string, name: string): unknown {
    const text = secrets.get(server_id, 'oauth', name)
    return text === undefined ? null : JSON.parse(text)
  }
  return {
    read({ server_id, url }) {
      const value = stored(server_id, 'credentials')
      return Check(Credentials, value) && value.url === url ? value : null
    },
    write: (server_id, credentials) => secrets.put(server_id, 'oauth', 'credentials', JSON.stringify(credentials)),
    remove: (server_id) => secrets.remove(server_id, 'oauth'),
    enteredClient(server_id, issuer) {
      const value = stored(server_id, 'client')
      return Check(EnteredClient, value) && value.issuer === issuer ? value : null
    },
    enterClient: (server_id, client) => secrets.put(server_id, 'oauth', 'client', JSON.stringify(client)),
  }
}
