// The signed-in account, and requests on its behalf. Tokens are renewed automatically; no other module sees one.
import type { Session } from '@tandem/contract/auth'
import type { ProblemCode } from '@tandem/contract/problem'
import type { Clock } from '../clock/clock.ts'
import type { CloudFailure, CloudRefusal, CloudResult } from './cloud-result.ts'
import { type CloudRequest, readJson, type SendRequest } from './http.ts'
import type { SessionFile, StoredSession } from './session-file.ts'

export interface Identity {
  readonly cloud_url: string
  readonly user_id: string
  readonly email: string
  readonly session_id: string
  /** Why the cloud ended the session; null while it is valid. */
  readonly ended: string | null
}

export interface SignIn {
  readonly cloud_url: string
  readonly email: string
  readonly password: string
  readonly device_id: string
  /** `new`: the account is created. */
  readonly account: 'known' | 'new'
}

export interface Account {
  who(): Identity | null
  /** Nothing is stored until `accepts` accepts the user; otherwise it returns why not. */
  signIn(request: SignIn, accepts: (user_id: string) => string | null): Promise<SignInOutcome>
  /** Deletes the tokens on this device even if the cloud cannot be reached. */
  signOut(scope: 'session' | 'everywhere'): Promise<void>
  /** Deletes the tokens of this session here and sends nothing: the cloud has deleted the account. */
  forget(session_id: string): void
  /** Sends a request as the signed-in user. */
  send(request: CloudRequest): Promise<CloudResult<Response>>
  call<Body>(request: CloudRequest): Promise<CloudResult<Body>>
  /** A token that is valid for a while; null if there is none. */
  token(): Promise<string | null>
  /** Called on sign-in, on sign-out, and when the cloud ends the session. Returns a function that unsubscribes. */
  onChanged(call: () => void): () => void
}

export type SignInOutcome =
  | { readonly ok: true; readonly identity: Identity }
  | {
      readonly ok: false
      readonly code: ProblemCode | 'unreachable' | 'other_account' | 'invalid_address'
      readonly message: string
      readonly errors?: CloudRefusal['errors']
    }

export interface AccountPorts {
  readonly clock: Clock
  readonly file: SessionFile
  readonly send: SendRequest
  log(line: string): void
}

/** A token that expires within this time is renewed before it is used. */
const margin_ms = 60_000
const endings: readonly ProblemCode[] = ['invalid_token', 'session_ended', 'refresh_token_reused', 'token_expired', 'unauthorized']
const notSignedIn: CloudFailure = { kind: 'refused', status: 401, code: 'unauthorized', detail: 'you are not signed in' }

export function openAccount({ clock, file, send, log }: AccountPorts): Account {
  let session = file.read()
  let renewing: Promise<StoredSession | CloudFailure> | null = null
  /** The session in memory is newer than the file. */
  let unsaved = false
  const listeners = new Set<() => void>()

  function keep(next: StoredSession | null): void {
    if (next) file.write(next)
    else file.remove()
    unsaved = false
    take(next)
  }

  function take(next: StoredSession | null): void {
    const changed = next?.session_id !== session?.session_id || next?.ended !== session?.ended
    session = next
    if (changed) for (const call of listeners) call()
  }

  /** A full disk must not end a session: it continues in memory and is written as soon as possible. */
  function saveRenewed(next: StoredSession): void {
    try {
      file.write(next)
      if (unsaved) log('the renewed session is saved now')
      unsaved = false
    } catch (error) {
      if (!unsaved) log(`the renewed session cannot be saved yet: ${error instanceof Error ? error.message : String(error)}`)
      unsaved = true
    }
    take(next)
  }

  function toStoredSession(cloud_url: string, { access_token, expires_in, refresh_token, session_id, user }: Session): StoredSession {
    const expires_at = clock.now() + expires_in * 1_000
    return { cloud_url, user_id: user.id, email: user.email, session_id, access_token, expires_at, refresh_token, ended: null }
  }

  /** One at a time. The cloud accepts the same token again if its reply was lost, so a failed attempt does no harm. */
  function renew(): Promise<StoredSession | CloudFailure> {
    renewing ??= renewed().finally(() => {
      renewing = null
    })
    return renewing
  }

  async function renewed(): Promise<StoredSession | CloudFailure> {
    const before = session
    if (!before || before.ended !== null) return notSignedIn
    const { cloud_url, refresh_token } = before
    const answer = await readJson<Session>(
      await send(cloud_url, { method: 'POST', path: '/api/v1/auth/refresh', json: { refresh_token } }, null),
    )
    // The user signed out or signed in again meanwhile: this response belongs to no session.
    if (session !== before) return session ?? notSignedIn
    if (answer.kind === 'ok') {
      const next = toStoredSession(cloud_url, answer.body)
      saveRenewed(next)
      return next
    }
    if (answer.kind === 'refused' && endings.includes(answer.code)) saveRenewed({ ...before, ended: answer.code })
    return answer
  }

  async function validSession(): Promise<StoredSession | CloudFailure> {
    if (!session || session.ended !== null) return notSignedIn
    if (unsaved) saveRenewed(session)
    const left = session.expires_at - clock.now()
    // If the wall clock was set back, more time is left than any token is valid for.
    return left > margin_ms && left < 86_400_000 ? session : await renew()
  }

  async function sendAs(request: CloudRequest): Promise<CloudResult<Response>> {
    const current = await validSession()
    if ('kind' in current) return current
    const answer = await send(current.cloud_url, request, current.access_token)
    if (answer.kind !== 'refused' || answer.status !== 401) return answer
    const again = await renew()
    return 'kind' in again ? again : await send(again.cloud_url, request, again.access_token)
  }

  return {
    who: () => session && identityOf(session),
    async signIn({ cloud_url, email, password, device_id, account }, accepts) {
      const base = baseOf(cloud_url)
      if (base === null)
        return {
          ok: false,
          code: 'invalid_address',
          message: `${cloud_url} is not a valid server URL: use https, or http for this machine`,
        }
      const path = account === 'new' ? '/api/v1/auth/register' : '/api/v1/auth/login'
      const answer = await readJson<Session>(await send(base, { method: 'POST', path, json: { email, password, device_id } }, null))
      if (answer.kind === 'unreachable') return { ok: false, code: 'unreachable', message: `${base} cannot be reached: ${answer.detail}` }
      if (answer.kind === 'refused') return { ok: false, code: answer.code, message: answer.detail, errors: answer.errors }
      const next = toStoredSession(base, answer.body)
      const objection = accepts(next.user_id)
      if (objection !== null) {
        await send(base, { method: 'POST', path: '/api/v1/auth/logout', json: {} }, next.access_token)
        return { ok: false, code: 'other_account', message: objection }
      }
      keep(next)
      return { ok: true, identity: identityOf(next) }
    },
    async signOut(scope) {
      const before = session
      keep(null)
      if (!before || before.ended !== null) return
      await send(before.cloud_url, { method: 'POST', path: '/api/v1/auth/logout', json: { scope }, timeout_ms: 5_000 }, before.access_token)
    },
    forget(session_id) {
      if (session?.session_id === session_id) keep(null)
    },
    send: sendAs,
    call: async (request) => await readJson(await sendAs(request)),
    async token() {
      const current = await validSession()
      return 'kind' in current ? null : current.access_token
    },
    onChanged(call) {
      listeners.add(call)
      return () => listeners.delete(call)
    },
  }
}

function identityOf({ cloud_url, user_id, email, session_id, ended }: StoredSession): Identity {
  return { cloud_url, user_id, email, session_id, ended }
}

/** Passwords and tokens are sent there: unencrypted only within this machine. */
function baseOf(text: string): string | null {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return null
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && local)) return null
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
