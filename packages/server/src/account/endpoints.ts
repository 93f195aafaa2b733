// Sign-up, sign-in, and one's own profile.
import { etagOf } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import type { UserProfile } from '@tandem/contract/user'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { faultOf, refuseFaults, text } from '../http/fault.ts'
import { type AccountServices, openAccounts } from './accounts.ts'
import { getProfile, putProfile } from './profile.ts'

export function accountEndpoints(services: AccountServices): Endpoint[] {
  const accounts = openAccounts(services)
  return [
    endpoint(routes.auth_register, async ({ body }) => {
      refuseFaults([...faultOf(text, '/email', body.email), ...faultOf(text, '/display_name', body.display_name)])
      return { status: 201, body: await accounts.register(body) }
    }),
    endpoint(routes.auth_login, async ({ body }) => {
      refuseFaults(faultOf(text, '/email', body.email))
      return { status: 200, body: await accounts.login(body) }
    }),
    endpoint(routes.auth_refresh, async ({ body }) => ({ status: 200, body: await accounts.refresh(body.refresh_token) })),
    endpoint(routes.auth_logout, async ({ caller, body, request }) => {
      await accounts.logout(caller, body.scope ?? 'session', bearer(request.headers.authorization))
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

/** The gate has let the caller in by this very header. */
function bearer(header = ''): string {
  return header.slice('Bearer '.length)
}
