// The Auth API of a Supabase project, as far as signing in needs it.
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

export interface SupabaseAuth {
  signUp(email: string, password: string, data: Record<string, string>): Promise<AuthAnswer>
  signIn(email: string, password: string): Promise<AuthAnswer>
  refresh(refreshToken: string): Promise<AuthAnswer>
  /** `session` ends the one that `accessToken` belongs to. One that has ended already is fine. */
  signOut(accessToken: string, scope: 'session' | 'everywhere'): Promise<void>
}

/** `session` is undefined after a sign-up whose address has to be confirmed first. */
export type AuthAnswer =
  | { readonly ok: true; readonly session: AuthSession | undefined }
  | {
      readonly ok: false
      /** Supabase's own name for what is wrong. */
      readonly code: string
      readonly message: string
      readonly retry_after_seconds: number | undefined
      /** Whose token it was, where Auth says so. */
      readonly user_id: string | undefined
      readonly session_id: string | undefined
    }

const AuthSession = Type.Object({
  access_token: Type.String({ minLength: 1 }),
  refresh_token: Type.String({ minLength: 1 }),
  expires_in: Type.Integer({ minimum: 0 }),
})
export type AuthSession = Static<typeof AuthSession>

/** The project's Auth can't answer now, or does not accept our key. */
export class AccountsUnavailable extends Error {
  override readonly name = 'AccountsUnavailable'
  readonly code = 'accounts_unavailable'
  /** What it answered, if it did. */
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
    // Its older versions say `code` or `error`, and `error_description` or `message`.
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
  // The new kind of key is no JWT and goes only into `apikey`; the old kind has to stand in both.
  const own = { apikey: service_key, ...(service_key.startsWith('sb_') ? {} : { authorization: `Bearer ${service_key}` }) }

  async function ask(path: string, body: object, headers: Record<string, string> = {}): Promise<{ response: Response; value: unknown }> {
    try {
      const response = await fetch(base + path, {
        method: 'POST',
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

  async function askForSession(path: string, body: object): Promise<AuthAnswer> {
    const { response, value } = await ask(path, body)
    if (!response.ok) return refusalOf(response, value)
    return { ok: true, session: isSession.Check(value) ? value : undefined }
  }

  return {
    signUp: (email, password, data) => askForSession('/signup', { email, password, data }),
    signIn: (email, password) => askForSession('/token?grant_type=password', { email, password }),
    refresh: (refresh_token) => askForSession('/token?grant_type=refresh_token', { refresh_token }),
    async signOut(accessToken, scope) {
      const query = scope === 'everywhere' ? 'global' : 'local'
      const { response, value } = await ask(`/logout?scope=${query}`, {}, { authorization: `Bearer ${accessToken}` })
      if (response.ok) return
      const { code, message } = refusalOf(response, value)
      if (!alreadyOut.has(code)) throw new AccountsUnavailable(`Supabase Auth did not sign out: ${code} ${message}`)
    },
  }
}

const alreadyOut = new Set(['session_not_found', 'user_not_found'])

function refusalOf(response: Response, value: unknown): Extract<AuthAnswer, { ok: false }> {
  const said = isRefusal.Check(value) ? value : {}
  const code = said.error_code ?? (typeof said.code === 'string' ? said.code : said.error)
  const message = said.msg ?? said.error_description ?? said.message ?? ''
  // Without a name of its own it is the gateway that speaks: a wrong key, a project that is paused, an outage.
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
    return undefined // a gateway's page or nothing at all: the status says what there is to say
  }
}
