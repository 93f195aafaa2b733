// The parts of the Auth API of a Supabase project that signing in needs.
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

export interface SupabaseAuth {
  signUp(email: string, password: string, data: Record<string, string>): Promise<AuthResponse>
  signIn(email: string, password: string): Promise<AuthResponse>
  refresh(refreshToken: string): Promise<AuthResponse>
  /** `session` ends the session of `accessToken`. Succeeds if it has ended already. */
  signOut(accessToken: string, scope: 'session' | 'everywhere' | 'others'): Promise<void>
  /** On behalf of the user of the token. */
  setPassword(accessToken: string, password: string): Promise<AuthResponse>
  /** False if the project does not allow it. Succeeds if the user no longer exists. */
  deleteUser(userId: string): Promise<boolean>
}

/** `session` is undefined after a sign-up whose address must be confirmed first. */
export type AuthResponse =
  | { readonly ok: true; readonly session: AuthSession | undefined }
  | {
      readonly ok: false
      /** The error code of Supabase. */
      readonly code: string
      readonly message: string
      readonly retry_after_seconds: number | undefined
      /** The user of the token, if Auth returns it. */
      readonly user_id: string | undefined
      readonly session_id: string | undefined
    }

const AuthSession = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.Integer({ minimum: 0 }),
})
export type AuthSession = Static<typeof AuthSession>

/** The project's Auth is unavailable, or does not accept our key. */
export class AccountsUnavailable extends Error {
  override readonly name = 'AccountsUnavailable'
  readonly code = 'accounts_unavailable'
  /** The status of the response, if there was one. */
  readonly status: number | undefined

  constructor(message: string, options: { cause?: unknown; status?: number } = {}) {
    super(message, { cause: options.cause })
    this.status = options.status
  }
}

const answerWithinMs = 10_000
const isSession = Compile(AuthSession)
const isRefusal = Compile(
  Type.Object({
    // Older versions use `code` or `error`, and `error_description` or `message`.
    error_code: Type.Optional(Type.String()),
    code: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    error: Type.Optional(Type.String()),
    msg: Type.Optional(Type.String()),
    error_description: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
  }),
)

export function openSupabaseAuth({ url, service_key }: { url: string; service_key: string }): SupabaseAuth {
  const base = `${url}/auth/v1`
  // A new key is not a JWT and is sent only in `apikey`; a legacy key must be sent in both.
  const own = { apikey: service_key, ...(service_key.startsWith('sb_') ? {} : { authorization: `Bearer ${service_key}` }) }

  async function ask(
    path: string,
    body: object,
    headers: Record<string, string> = {},
    method: 'POST' | 'PUT' | 'DELETE' = 'POST',
  ): Promise<{ response: Response; value: unknown }> {
    try {
      const response = await fetch(base + path, {
        method,
        headers: { 'content-type': 'application/json', ...own, ...headers },
        body: JSON.stringify(body),
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      })
      return { response, value: parse(await response.text()) }
    } catch (error) {
      throw new AccountsUnavailable(`Supabase Auth at ${base} did not answer`, { cause: error })
    }
  }

  async function askAs(accessToken: string, method: 'PUT' | 'POST', path: string, body: object) {
    return ask(path, body, { authorization: `Bearer ${accessToken}` }, method)
  }

  async function askForSession(path: string, body: object): Promise<AuthResponse> {
    const { response, value } = await ask(path, body)
    if (!response.ok) return refusalOf(response, value)
    return { ok: true, session: isSession.Check(value) ? value : undefined }
  }

  return {
    signUp: (email, password, data) => askForSession('/signup', { email, password, data }),
    signIn: (email, password) => askForSession('/token?grant_type=password', { email, password }),
    refresh: (refresh_token) => askForSession('/token?grant_type=refresh_token', { refresh_token }),
    async signOut(accessToken, scope) {
      const { response, value } = await askAs(accessToken, 'POST', `/logout?scope=${signOutScopes[scope]}`, {})
      if (response.ok) return
      const { code, message } = refusalOf(response, value)
      if (!alreadyOut.has(code)) throw new AccountsUnavailable(`Supabase Auth did not sign out: ${code} ${message}`)
    },
    async setPassword(accessToken, password) {
      const { response, value } = await askAs(accessToken, 'PUT', '/user', { password })
      return response.ok ? { ok: true, session: undefined } : refusalOf(response, value)
    },
    async deleteUser(userId) {
      const { response, value } = await ask(`/admin/users/${userId}`, {}, {}, 'DELETE')
      if (response.ok) return true
      const code = isRefusal.Check(value) ? (value.error_code ?? value.code) : undefined
      if (code === 'user_not_found') return true
      if (noSuchCall.has(response.status)) return false
      throw new AccountsUnavailable(`Supabase Auth did not delete the user: ${response.status}`, { status: response.status })
    },
  }
}

/** A project without the admin API, or whose gateway does not allow our key to use it. */
const noSuchCall = new Set([401, 403, 404, 405, 501])

const signOutScopes = { session: 'local', everywhere: 'global', others: 'others' } as const

const alreadyOut = new Set(['session_not_found', 'user_not_found'])

function refusalOf(response: Response, value: unknown): Extract<AuthResponse, { ok: false }> {
  const said = isRefusal.Check(value) ? value : {}
  const code = said.error_code ?? (typeof said.code === 'string' ? said.code : said.error)
  const message = said.msg ?? said.error_description ?? said.message ?? ''
  // Without an error code, the response is from the gateway: a wrong key, a paused project, an outage.
  if (response.status >= 500 || (code === undefined && response.status !== 429)) {
    throw new AccountsUnavailable(`Supabase Auth answered ${response.status} ${message}`, { status: response.status })
  }
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    ok: false,
    code: code ?? 'over_request_rate_limit',
    message,
    retry_after_seconds: Number.isSafeInteger(wait) && wait >= 0 ? wait : undefined,
    user_id: response.headers.get('sb-auth-user-id') ?? undefined,
    session_id: response.headers.get('sb-auth-session-id') ?? undefined,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a gateway's page or an empty body: only the status is known
  }
}
