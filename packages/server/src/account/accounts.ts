// The accounts port: who may come in, whoever keeps the passwords.
import type { LoginRequest, LogoutScope, RegisterRequest, Session } from '@tandem/contract/auth'
import type { Services } from '../services.ts'
import type { Caller } from '../token/tokens.ts'
import { openBuiltInAccounts } from './built-in.ts'
import { openSupabaseAccounts } from './supabase.ts'

/** What can't be done is refused by name. */
export interface Accounts {
  register(request: RegisterRequest): Promise<Session>
  login(request: LoginRequest): Promise<Session>
  refresh(refreshToken: string): Promise<Session>
  /** `accessToken` is the one the caller came with. */
  logout(caller: Caller, scope: LogoutScope, accessToken: string): Promise<void>
}

export type AccountServices = Pick<Services, 'config' | 'database' | 'cache' | 'tokens' | 'endedSessions' | 'hub' | 'log' | 'now'>

export function openAccounts(services: AccountServices): Accounts {
  const { platform, jwt } = services.config
  if (platform.kind === 'supabase') return openSupabaseAccounts(platform, services)
  if (jwt.kind !== 'secret') throw new Error('built-in accounts need a secret to sign with')
  return openBuiltInAccounts(jwt.secret, services)
}
