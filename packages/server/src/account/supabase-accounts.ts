// Accounts in a Supabase project: its Auth checks passwords and rotates tokens, our PostgreSQL stores profiles and sessions of devices.

import type { LoginRequest, LogoutScope, PasswordChange, RegisterRequest, Session } from '@tandem/contract/auth'
import type { ProblemCode } from '@tandem/contract/problem'
import type { Platform } from '../config/platform.ts'
import { setCurrentUser } from '../database/database.ts'
import { type Refusal, refuse } from '../http/refusal.ts'
import type { Caller } from '../token/tokens.ts'
import type { AccountServices, Accounts, PasswordProtectedRequest } from './accounts.ts'
import { deleteAccountRows } from './directory-store.ts'
import { deleteKeys } from './key-store.ts'
import { openLoginThrottle } from './login-throttle.ts'
import { requireStrongPassword } from './password-strength.ts'
import { ensureProfile, type NewProfile } from './profile-store.ts'
import { endStoredSessions, publishEndedSessions } from './session-end.ts'
import { endSessions, recordSession } from './session-store.ts'
import { AccountsUnavailable, type AuthResponse, type AuthSession, openSupabaseAuth } from './supabase-auth.ts'

type About = Pick<NewProfile, 'display_name' | 'locale' | 'time_zone'> & { readonly device_id?: string | undefined }

export function openSupabaseAccounts(platform: Extract<Platform, { kind: 'supabase' }>, services: AccountServices): Accounts {
  const { database, tokens, log } = services
  const auth = openSupabaseAuth(platform)
  const throttle = openLoginThrottle(services.cache)

  /** The result of Auth with our own data: the profile, created on first use, and the session, so that a device can end it. */
  async function receive(given: AuthSession, { device_id, ...about }: About): Promise<Session> {
    const { user_id, session_id, email } = await readClaims(given.access_token)
    const { user, open } = await database.asAccounts(async (sql) => {
      const now = services.now()
      const [, user, open] = await Promise.all([
        setCurrentUser(sql, user_id),
        ensureProfile(sql, { user_id, email, ...about }, now),
        recordSession(sql, { user_id, session_id, device_id, seed: null }, now),
      ])
      return { user, open }
    })
    if (!open) {
      await auth.signOut(given.access_token, 'session')
      await publishEndedSessions(services, user_id, [session_id])
      throw refuse('session_ended', 'the session of this refresh token was signed out')
    }
    const { access_token, refresh_token, expires_in } = given
    return { access_token, token_type: 'bearer', expires_in, refresh_token, session_id, user }
  }

  async function readClaims(accessToken: string): Promise<{ user_id: string; session_id: string; email: string }> {
    const checked = await tokens.check(accessToken, services.now())
    if (!checked.ok) {
      log.error("the project's Auth signs tokens that BAAS_JWT_SECRET or BAAS_JWKS cannot verify")
      throw new AccountsUnavailable('the tokens of the project cannot be verified')
    }
    const { user_id, session_id, email } = checked.caller
    if (email === null || email === '') throw refuse('invalid_credentials', 'this account has no email address')
    return { user_id, session_id, email }
  }

  async function register(request: RegisterRequest): Promise<Session> {
    const { email, password, ...about } = request
    requireStrongPassword(password, email)
    const data = about.display_name === undefined ? {} : { display_name: about.display_name }
    const answer = await signUpTwice(() => auth.signUp(email, password, data))
    if (!answer.ok) throw refusalFor(answer, 'invalid_request')
    if (!answer.session)
      throw refuse('email_unconfirmed', 'a confirmation email was sent to this address; open the link in it, then sign in')
    const session = await receive(answer.session, about)
    log.info({ user_id: session.user.id, session_id: session.session_id }, 'account registered')
    return session
  }

  async function login({ email, password, device_id }: LoginRequest, address: string): Promise<Session> {
    const giveBack = await throttle.begin({ email, address })
    const answer = await auth.signIn(email, password)
    const refusal = answer.ok ? undefined : refusalFor(answer, 'invalid_credentials')
    if (refusal?.code !== 'invalid_credentials') await giveBack()
    if (!answer.ok) {
      log.info({ code: answer.code }, 'sign-in refused')
      throw refusal
    }
    const session = await receive(demandSession(answer), { device_id })
    log.info({ user_id: session.user.id, session_id: session.session_id }, 'signed in')
    return session
  }

  async function refresh(refreshToken: string): Promise<Session> {
    if (!/^[\x21-\x7e]+$/.test(refreshToken)) throw refuse('invalid_token', 'this is not a refresh token')
    const answer = await auth.refresh(refreshToken)
    if (answer.ok) return receive(demandSession(answer), {})
    const refusal = refusalFor(answer, 'invalid_token')
    const { user_id, session_id } = answer
    if (refusal.code === 'refresh_token_reused' && user_id !== undefined && session_id !== undefined) {
      log.warn({ user_id, session_id }, 'a refresh token was used a second time; its session was ended')
      await endStoredSessions(services, user_id, { session_id })
      await publishEndedSessions(services, user_id, [session_id])
    }
    throw refusal
  }

  async function logout({ user_id, session_id }: Caller, scope: LogoutScope, accessToken: string): Promise<void> {
    await auth.signOut(accessToken, scope)
    const ended = await endStoredSessions(services, user_id, scope === 'everywhere' ? 'all' : { session_id })
    log.info({ user_id, session_id, scope }, 'signed out')
    await publishEndedSessions(services, user_id, [...new Set([session_id, ...ended])])
  }

  /** Auth has no call that only checks a password: this signs in and ends that session again. */
  async function demandPassword({ caller: { email }, address }: PasswordProtectedRequest, password: string): Promise<void> {
    if (email === null) throw refuse('wrong_password', 'this account has no email address and no password')
    const giveBack = await throttle.begin({ email, address })
    const answer = await auth.signIn(email, password)
    if (!answer.ok) {
      const refusal = refusalFor(answer, 'invalid_credentials')
      if (refusal.code === 'invalid_credentials') throw refuse('wrong_password', 'this is not the current password of the account')
      await giveBack()
      throw refusal
    }
    await giveBack()
    await auth.signOut(demandSession(answer).access_token, 'session')
  }

  async function changePassword(asked: PasswordProtectedRequest, { current_password, new_password }: PasswordChange): Promise<void> {
    const { user_id, session_id, email } = asked.caller
    requireStrongPassword(new_password, email ?? '', '/new_password')
    await demandPassword(asked, current_password)
    const answer = await auth.setPassword(asked.access_token, new_password)
    if (!answer.ok) throw refusalFor(answer, 'invalid_request')
    await auth.signOut(asked.access_token, 'others')
    const ended = await database.asAccounts(async (sql) => {
      await setCurrentUser(sql, user_id)
      const [others] = await Promise.all([endSessions(sql, user_id, { other_than: session_id }, services.now()), deleteKeys(sql, user_id)])
      return others
    })
    log.info({ user_id, session_id, sessions: ended.length }, 'password changed; other sessions ended and API keys revoked')
    await publishEndedSessions(services, user_id, ended)
  }

  async function remove(asked: PasswordProtectedRequest, password: string): Promise<void> {
    const { user_id, session_id } = asked.caller
    await demandPassword(asked, password)
    // Our data first: if Auth fails now, the user can still sign in and delete the rest.
    const ended = await database.asAccounts(async (sql) => {
      await setCurrentUser(sql, user_id)
      const [sessions] = await Promise.all([endSessions(sql, user_id, 'all', services.now()), deleteKeys(sql, user_id)])
      await deleteAccountRows(sql, user_id, services.now())
      return sessions
    })
    if (!(await auth.deleteUser(user_id))) await database.owner`delete from auth.users where id = ${user_id}`
    log.info({ user_id, session_id }, 'account deleted')
    await publishEndedSessions(services, user_id, [...new Set([session_id, ...ended])])
  }

  return { register, login, refresh, logout, changePassword, remove }
}

/** Of two concurrent sign-ups, Auth answers the slower one with a database error (500); a retry reports that the address is taken. */
async function signUpTwice(signUp: () => Promise<AuthResponse>): Promise<AuthResponse> {
  try {
    return await signUp()
  } catch (error) {
    if (error instanceof AccountsUnavailable && error.status === 500) return signUp()
    throw error
  }
}

/** Maps the error codes of Auth to those of the contract. */
const codes: Readonly<Record<string, ProblemCode>> = {
  user_already_exists: 'email_taken',
  email_exists: 'email_taken',
  weak_password: 'weak_password',
  same_password: 'weak_password',
  email_not_confirmed: 'email_unconfirmed',
  invalid_credentials: 'invalid_credentials',
  refresh_token_not_found: 'invalid_token',
  refresh_token_already_used: 'refresh_token_reused',
  session_not_found: 'session_ended',
  session_expired: 'token_expired',
  over_request_rate_limit: 'rate_limited',
  over_email_send_rate_limit: 'rate_limited',
}

function refusalFor(answer: Extract<AuthResponse, { ok: false }>, otherwise: ProblemCode): Refusal {
  const code = codes[answer.code] ?? otherwise
  if (code === 'rate_limited') {
    return refuse(code, 'the account service is limiting requests', { retry_after_seconds: answer.retry_after_seconds ?? 60 })
  }
  return refuse(code, answer.message || answer.code)
}

function demandSession(answer: Extract<AuthResponse, { ok: true }>): AuthSession {
  if (!answer.session) throw new AccountsUnavailable('Supabase Auth responded without a session')
  return answer.session
}
