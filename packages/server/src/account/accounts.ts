// The accounts port: who may come in, whoever keeps the passwords.
import type { LoginRequest, LogoutScope, PasswordChange, RegisterRequest, Session } from '@tandem/contract/auth'
import type { Services } from '../services.ts'
import type { Caller } from '../token/tokens.ts'
import { openBuiltInAccounts } from './built-in.ts'
import { openSupabaseAccounts } from './supabase.ts'

/** What can't be done is refused by name. */
export interface Accounts {
  register(request: RegisterRequest): Promise<Session>
  login(request: LoginRequest, address: string): Promise<Session>
  refresh(refreshToken: string): Promise<Session>
  /** `accessToken` is the one the caller came with. */
  logout(caller: Caller, scope: LogoutScope, accessToken: string): Promise<void>
  /** Ends all other sessions and revokes the API keys. */
  changePassword(asked: Asked, change: PasswordChange): Promise<void>
  /** The account itself and its sessions; its data is deleted by the caller. */
  remove(asked: Asked, password: string): Promise<void>
}

/** Who asks for something that needs the password again, from where, and with which token. */
export interface Asked {
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
