// Sign-up, sign-in, the user's own profile, password and API keys, and account deletion.
import { etagOf } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import type { UserProfile } from '@tandem/contract/user'
import type { FastifyRequest } from 'fastify'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { faultOf, refuseFaults, text } from '../http/validation/fault.ts'
import type { Caller } from '../token/tokens.ts'
import { type AccountServices, openAccounts, type PasswordProtectedRequest } from './accounts.ts'
import { deleteData } from './deletion.ts'
import { addKey, readKeys, revokeKey } from './keys.ts'
import { getProfile, putProfile } from './profile.ts'

export function accountEndpoints(services: AccountServices): Endpoint[] {
  const accounts = openAccounts(services)
  return [
    endpoint(routes.auth_register, async ({ body }) => {
      refuseFaults([...faultOf(text, '/email', body.email), ...faultOf(text, '/display_name', body.display_name)])
      return { status: 201, body: await accounts.register(body) }
    }),
    endpoint(routes.auth_login, async ({ body, request }) => {
      refuseFaults(faultOf(text, '/email', body.email))
      return { status: 200, body: await accounts.login(body, request.ip) }
    }),
    endpoint(routes.auth_refresh, async ({ body }) => ({ status: 200, body: await accounts.refresh(body.refresh_token) })),
    endpoint(routes.auth_logout, async ({ caller, body, request }) => {
      await accounts.logout(caller, body.scope ?? 'session', bearer(request.headers.authorization))
      return { status: 204, body: undefined }
    }),
    endpoint(routes.auth_password, async (call) => {
      await accounts.changePassword(askedOf(call), call.body)
      return { status: 204, body: undefined }
    }),
    endpoint(routes.users_delete, async (call) => {
      const { user_id } = call.caller
      await accounts.remove(askedOf(call), call.body.password)
      // The response does not wait for the deletion of files; retention deletes what fails here.
      deleteData(services, user_id).catch((error: unknown) =>
        services.log.warn({ err: error, user_id }, 'some data of a deleted account could not be deleted yet'),
      )
      return { status: 204, body: undefined }
    }),
    endpoint(routes.users_keys_list, async ({ caller, query }) => ({ status: 200, body: await readKeys(services, caller, query) })),
    endpoint(routes.users_keys_create, async ({ caller, body }) => {
      refuseFaults(faultOf(text, '/name', body.name))
      return { status: 201, body: await addKey(services, caller, body) }
    }),
    endpoint(routes.users_keys_revoke, async ({ caller, params }) => {
      await revokeKey(services, caller, params.id)
      return { status: 204, body: undefined }
    }),
    endpoint(routes.users_profile_get, async ({ caller }) => withEtag(await getProfile(services, caller))),
    endpoint(routes.users_profile_update, async ({ caller, body, headers }) => {
      refuseFaults(faultOf(text, '/display_name', body.display_name))
      return withEtag(await putProfile(services, caller, body, headers['if-match']))
    }),
  ]
}

function withEtag(profile: UserProfile) {
  return { status: 200, body: profile, headers: { etag: etagOf(profile.version) } } as const
}

function askedOf({ caller, request }: { caller: Caller; request: FastifyRequest }): PasswordProtectedRequest {
  return { caller, address: request.ip, access_token: bearer(request.headers.authorization) }
}

/** The caller was authenticated with this header. */
function bearer(header = ''): string {
  return header.slice('Bearer '.length)
}
