// The sign-in of a user to one server, by its id.
import type { McpServer } from '@tandem/contract/mcp'
import { admit } from '../admission.ts'
import { type McpOutcome, mcpFailed, mcpFailure } from '../failure.ts'
import type { ListedServer, Servers } from '../servers.ts'
import type { BegunSignIn, SignInRequest } from './sign-ins.ts'

export interface ServerSignIns {
  /** Prepares a sign-in, which the user continues in a browser. */
  beginSignIn(server_id: string, request: SignInRequest): Promise<McpOutcome<BegunSignIn>>
  waitForSignIn(sign_in_id: string, ms: number): Promise<McpOutcome<'waiting' | 'signed_in'>>
  cancelSignIn(sign_in_id: string): McpOutcome<{ readonly server_id: string }>
  signOut(server_id: string): Promise<McpOutcome<ListedServer>>
}

export function openServerSignIns({ ports, signIns, definition, unknown, settle }: Servers): ServerSignIns {
  return {
    async beginSignIn(server_id, request) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      const refusal = signInRefusal(server)
      if (refusal !== null || server.transport !== 'http')
        return mcpFailed(mcpFailure('sign_in_not_offered', server_id, `${server_id} ${refusal}`))
      const admission = admit(server, ports)
      return admission.ok ? signIns.begin({ ...admission.value, server }, request) : admission
    },
    waitForSignIn: signIns.wait,
    cancelSignIn: signIns.cancel,
    async signOut(server_id) {
      const server = definition(server_id)
      if (!server) return unknown(server_id)
      if (server.transport === 'http') await signIns.signOut(server)
      return settle(server)
    },
  }
}

/** Why there is no sign-in for this server; continues a sentence about it. */
function signInRefusal(server: McpServer): string | null {
  if (server.transport === 'stdio') return 'is a program on this device, which signs in by itself'
  const isAuthorized = server.header_names.some((name) => name.toLowerCase() === 'authorization')
  return isAuthorized ? 'uses the Authorization header of its definition instead of a sign-in' : null
}
