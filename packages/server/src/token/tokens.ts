// Access tokens with the claims of Supabase Auth, regardless of the signer. The algorithm is set by configuration, never by the token.
import { limits } from '@tandem/contract/limits'
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify, SignJWT } from 'jose'
import type { JwtTarget } from '../config/config.ts'

/** The caller, according to the token. */
export interface Caller {
  readonly user_id: string
  readonly session_id: string
  readonly email: string | null
  /** Seconds since 1970. */
  readonly expires_at: number
}

type TokenCheck =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly code: 'invalid_token' | 'token_expired' | 'accounts_unavailable' }

export interface Tokens {
  /** Only if this service stores the accounts itself. */
  sign(claims: { user_id: string; session_id: string; email: string }, now: number): Promise<string>
  check(token: string, now: number): Promise<TokenCheck>
  /** The caller of a token that was verified a moment ago: `check` without waiting. */
  known(token: string, now: number): Caller | undefined
}

const audience = 'authenticated'
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function openTokens(target: JwtTarget, issuer: string | undefined): Tokens {
  const secret = target.kind === 'secret' ? new TextEncoder().encode(target.secret) : undefined
  const keys = target.kind === 'jwks' ? createRemoteJWKSet(new URL(target.url), { timeoutDuration: 5_000 }) : undefined
  const options: JWTVerifyOptions = {
    audience,
    clockTolerance: 5,
    requiredClaims: ['exp', 'sub', 'session_id'],
    ...(issuer ? { issuer } : {}),
  }
  const checked = openTokenCache()

  return {
    async sign({ user_id, session_id, email }, now) {
      if (!secret) throw new Error('tokens of this platform are signed by its own account service')
      const issuedAt = Math.floor(now / 1000)
      const token = new SignJWT({ role: 'authenticated', session_id, email, aal: 'aal1', is_anonymous: false })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(user_id)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + limits.access_token_seconds)
      if (issuer) token.setIssuer(issuer)
      return await token.sign(secret)
    },

    known: (token, now) => checked.find(token, now),

    async check(token, now) {
      const known = checked.find(token, now)
      if (known) return { ok: true, caller: known }
      const currentDate = new Date(now)
      try {
        const { payload } = secret
          ? await jwtVerify(token, secret, { ...options, algorithms: ['HS256'], currentDate })
          : await jwtVerify(token, keys ?? neverAKey, { ...options, algorithms: ['ES256', 'RS256'], currentDate })
        const result = callerOf(payload)
        if (result.ok) checked.keep(token, result.caller, now)
        return result
      } catch (error) {
        return { ok: false, code: codeOf(error, keys !== undefined) }
      }
    },
  }
}

/** With keys of another service: a set that is missing or invalid does not make the token invalid. */
function codeOf(error: unknown, remote: boolean): 'invalid_token' | 'token_expired' | 'accounts_unavailable' {
  if (error instanceof errors.JWTExpired) return 'token_expired'
  const own = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout) && error.code !== 'ERR_JOSE_GENERIC'
  return remote && !own ? 'accounts_unavailable' : 'invalid_token'
}

function callerOf(payload: JWTPayload): TokenCheck {
  const { sub, session_id, email, role, exp } = payload
  if (typeof sub !== 'string' || !uuid.test(sub) || typeof session_id !== 'string' || role !== 'authenticated' || typeof exp !== 'number') {
    return { ok: false, code: 'invalid_token' }
  }
  return { ok: true, caller: { user_id: sub, session_id, email: typeof email === 'string' ? email : null, expires_at: exp } }
}

function neverAKey(): never {
  throw new Error('no key')
}

/**
 * Recently verified tokens. A signature does not change, and verifying it costs more than everything else that a
 * model call needs. Whether its session has ended is not known here: the caller checks that for each request.
 */
interface CheckedTokens {
  find(token: string, now: number): Caller | undefined
  keep(token: string, caller: Caller, now: number): void
}

/** The maximum time for which a key that was removed from the set is still trusted. */
const trustedMs = 60_000
const usualMost = 10_000

export function openTokenCache(most = usualMost): CheckedTokens {
  // By the whole token: a digest would cost more than everything else here.
  const kept = new Map<string, { readonly caller: Caller; readonly since: number }>()
  return {
    find(token, now) {
      const entry = kept.get(token)
      if (!entry) return undefined
      // If the clock was set back, the token is verified again.
      if (now >= entry.since && now < entry.since + trustedMs && now < entry.caller.expires_at * 1_000) return entry.caller
      kept.delete(token)
      return undefined
    },
    keep(token, caller, now) {
      kept.set(token, { caller, since: now })
      if (kept.size <= most) return
      for (const oldest of kept.keys()) {
        kept.delete(oldest)
        break
      }
    },
  }
}
