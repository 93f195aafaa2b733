// Accounts stored by this service, in its own PostgreSQL.

import type { LoginRequest, LogoutScope, PasswordChange, RegisterRequest, Session } from '@tandem/contract/auth'
import { limits } from '@tandem/contract/limits'
import type { UserProfile } from '@tandem/contract/user'
import { setCurrentUser } from '../database/database.ts'
import { newId } from '../http/id.ts'
import { refuse } from '../http/refusal.ts'
import type { Caller } from '../token/tokens.ts'
import type { AccountServices, Accounts, PasswordProtectedRequest } from './accounts.ts'
import {
  deleteAccountRows,
  findAccount,
  readPassword,
  replaceHash,
  reserveEmail,
  changePassword as storeChange,
  storePassword,
} from './directory-store.ts'
import { type Hasher, openHasher } from './hasher.ts'
import { deleteKeys } from './key-store.ts'
import { openLoginThrottle } from './login-throttle.ts'
import { requireStrongPassword } from './password-strength.ts'
import { ensureProfile, readProfile } from './profile-store.ts'
import { newSeed, openRefreshTokens, readRefreshToken } from './refresh-token.ts'
import { rotate } from './rotation.ts'
import { endStoredSessions, publishEndedSessions } from './session-end.ts'
import { endSessions, lockSession, openSession, saveRotation } from './session-store.ts'

export function openBuiltInAccounts(secret: string, services: AccountServices, hasher: Hasher = openHasher()): Accounts {
  const { database, tokens, log } = services
  const throttle = openLoginThrottle(services.cache)
  const refreshTokens = openRefreshTokens(secret)

  function newSession(user_id: string, device_id: string | undefined) {
    return { user_id, session_id: newId(services.now()), device_id, seed: newSeed() }
  }

  async function answer(user: UserProfile, sessionId: string, refresh_token: string): Promise<Session> {
    const claims = { user_id: user.id, session_id: sessionId, email: user.email }
    const access_token = await tokens.sign(claims, services.now())
    return { access_token, token_type: 'bearer', expires_in: limits.access_token_seconds, refresh_token, session_id: sessionId, user }
  }

  async function register(request: RegisterRequest): Promise<Session> {
    const { email, password, device_id, ...about } = request
    requireStrongPassword(password, email)
    const hash = await hasher.hash(password)
    const now = services.now()
    const user_id = newId(now)
    const session = newSession(user_id, device_id)
    const user = await database.asAccounts(async (sql) => {
      if (!(await reserveEmail(sql, email, user_id))) return undefined
      const [, profile] = await Promise.all([
        setCurrentUser(sql, user_id),
        ensureProfile(sql, { user_id, email, ...about }, now),
        storePassword(sql, user_id, hash, now),
        openSession(sql, session, now),
      ])
      return profile
    })
    if (!user)
      throw refuse('email_taken', 'this email address is already registered', {
        errors: [{ pointer: '/email', message: 'is already taken' }],
      })
    log.info({ user_id, session_id: session.session_id }, 'account registered')
    return answer(user, session.session_id, refreshTokens.make(session, 1))
  }

  async function login({ email, password, device_id }: LoginRequest, address: string): Promise<Session> {
    const account = await database.asAccounts((sql) => findAccount(sql, email, device_id))
    const giveBack = await throttle.begin({ email, address, known_device: account?.device_known ? device_id : undefined })
    const right = await hasher.verify(password, account?.password_hash)
    if (!right || !account) {
      log.info(account ? { user_id: account.user_id } : {}, 'sign-in refused')
      throw refuse('invalid_credentials', 'no account has this email address and password')
    }
    await giveBack()
    const hash = hasher.isOutdated(account.password_hash) ? await hasher.hash(password) : undefined
    const session = newSession(account.user_id, device_id)
    const user = await database.asAccounts(async (sql) => {
      const [, profile] = await Promise.all([
        setCurrentUser(sql, account.user_id),
        readProfile(sql, account.user_id),
        openSession(sql, session, services.now()),
        hash === undefined ? undefined : replaceHash(sql, account, hash),
      ])
      return profile
    })
    if (!user) throw new Error('an account has a password and no profile')
    log.info({ user_id: user.id, session_id: session.session_id }, 'signed in')
    return answer(user, session.session_id, refreshTokens.make(session, 1))
  }

  /** One transaction. The outcome is a value, so that ending the session is committed too. */
  async function refresh(text: string): Promise<Session> {
    const claim = readRefreshToken(text)
    if (!claim) throw refuse('invalid_token', 'this is not a refresh token of this service')
    const { user_id, session_id } = claim
    const now = services.now()
    const outcome = await database.asAccounts(async (sql) => {
      const [, stored] = await Promise.all([setCurrentUser(sql, user_id), lockSession(sql, user_id, session_id)])
      if (!stored?.seed || !refreshTokens.sealed(claim, stored.seed)) return { code: 'invalid_token' } as const
      const rotation = rotate(stored, claim.counter, now)
      if (rotation.verdict === 'refused') return { code: rotation.code } as const
      if (rotation.verdict === 'reused') {
        await endSessions(sql, user_id, { session_id }, now)
        return { code: 'refresh_token_reused' } as const
      }
      const { counter, replaced } = rotation.verdict === 'rotate' ? rotation : stored
      const [user] = await Promise.all([readProfile(sql, user_id), saveRotation(sql, { user_id, session_id, counter, replaced }, now)])
      if (!user) throw new Error('a session has no profile')
      return { code: 'ok', user, refresh_token: refreshTokens.make({ user_id, session_id, seed: stored.seed }, counter) } as const
    })
    if (outcome.code === 'ok') return answer(outcome.user, session_id, outcome.refresh_token)
    if (outcome.code === 'refresh_token_reused') {
      log.warn({ user_id, session_id }, 'a refresh token was used a second time; its session was ended')
      await publishEndedSessions(services, user_id, [session_id])
    }
    throw refuse(outcome.code, refusals[outcome.code])
  }

  async function logout(caller: Caller, scope: LogoutScope): Promise<void> {
    const { user_id, session_id } = caller
    const ended = await endStoredSessions(services, user_id, scope === 'everywhere' ? 'all' : { session_id })
    log.info({ user_id, session_id, scope }, 'signed out')
    await publishEndedSessions(services, user_id, [...new Set([session_id, ...ended])])
  }

  /** Checks the current password again; guesses are counted as for a sign-in. */
  async function demandPassword({ caller, address }: PasswordProtectedRequest, password: string): Promise<string> {
    const { user_id, email } = caller
    const stored = await database.asAccounts(async (sql) => {
      const [, hash] = await Promise.all([setCurrentUser(sql, user_id), readPassword(sql, user_id)])
      return hash
    })
    const giveBack = await throttle.begin({ email: email ?? user_id, address })
    const right = await hasher.verify(password, stored)
    if (!right || stored === undefined) throw refuse('wrong_password', 'this is not the current password of the account')
    await giveBack()
    return stored
  }

  async function changePassword(asked: PasswordProtectedRequest, { current_password, new_password }: PasswordChange): Promise<void> {
    const { user_id, session_id, email } = asked.caller
    requireStrongPassword(new_password, email ?? '', '/new_password')
    const before = await demandPassword(asked, current_password)
    const hash = await hasher.hash(new_password)
    const now = services.now()
    const ended = await database.asAccounts(async (sql) => {
      await setCurrentUser(sql, user_id)
      if (!(await storeChange(sql, user_id, before, hash, now))) return undefined
      const [others] = await Promise.all([endSessions(sql, user_id, { other_than: session_id }, now), deleteKeys(sql, user_id)])
      return others
    })
    if (!ended) throw refuse('wrong_password', 'the password was changed by another device at the same time')
    log.info({ user_id, session_id, sessions: ended.length }, 'password changed; other sessions ended and API keys revoked')
    await publishEndedSessions(services, user_id, ended)
  }

  async function remove(asked: PasswordProtectedRequest, password: string): Promise<void> {
    const { user_id, session_id } = asked.caller
    await demandPassword(asked, password)
    const now = services.now()
    const ended = await database.asAccounts(async (sql) => {
      await setCurrentUser(sql, user_id)
      const [sessions] = await Promise.all([endSessions(sql, user_id, 'all', now), deleteKeys(sql, user_id)])
      await deleteAccountRows(sql, user_id, now)
      return sessions
    })
    log.info({ user_id, session_id }, 'account deleted')
    await publishEndedSessions(services, user_id, [...new Set([session_id, ...ended])])
  }

  return { register, login, refresh, logout, changePassword, remove }
}

const refusals = {
  invalid_token: 'the refresh token does not belong to a session of this service',
  session_ended: 'the session of this refresh token was signed out',
  token_expired: 'the refresh token has not been used for too long',
  refresh_token_reused: 'the refresh token was already used, so its session was ended',
}
