// The accounts port: authentication, independent of where passwords are stored.
import type { LoginRequest, LogoutScope, PasswordChange, RegisterRequest, Session } from '@tandem/contract/auth'
import type { Services } from '../services.ts'
import type { Caller } from '../token/tokens.ts'
import { openBuiltInAccounts } from './built-in-accounts.ts'
import { openSupabaseAccounts } from './supabase-accounts.ts'

/** Expected failures are thrown as a `Refusal`. */
export interface Accounts {
  register(request: RegisterRequest): Promise<Session>
  login(request: LoginRequest, address: string): Promise<Session>
  refresh(refreshToken: string): Promise<Session>
  /** `accessToken` is the one the caller authenticated with. */
  logout(caller: Caller, scope: LogoutScope, accessToken: string): Promise<void>
  /** Ends all other sessions and revokes the API keys. */
  changePassword(asked: PasswordProtectedRequest, change: PasswordChange): Promise<void>
  /** Deletes the account and its sessions; the caller deletes its data. */
  remove(asked: PasswordProtectedRequest, password: string): Promise<void>
}

/** The caller of an operation that requires the password again: IP address and access token. */
export interface PasswordProtectedRequest {
  readonly caller: Caller
  readonly address: string
  readonly access_token: string
}

export type AccountServices = Pick<Services, 'config' | 'database' | 'cache' | 'blobs' | 'tokens' | 'endedSessions' | 'hub' | 'log' | 'now'>

export function openAccounts(services: AccountServices): Accounts {
  const { platform, jwt } = services.config
  if (platform.kind === 'supabase') return openSupabaseAccounts(platform, services)
  if (jwt.kind !== 'secret') throw new Error('built-in accounts need a secret to sign with')
  return openBuiltInAccounts(jwt.secret, services)
}
