// Admits requests: by token, rate limits, the state of the session, and the number of open requests.
import type { IncomingHttpHeaders } from 'node:http'
import { keyScopeOf, type Route } from '@tandem/contract/http'
import type { Announced, Announcement } from '../../cache/cache.ts'
import type { Services } from '../../services.ts'
import { isApiKey } from '../../token/api-key.ts'
import { patientProof, sessionKey } from '../../token/ended-sessions.ts'
import type { Caller } from '../../token/tokens.ts'
import { refuse } from '../refusal.ts'
import type { Admission, OpenKind, OpenRequests } from './admission.ts'
import { enforceAndAnnounce, enforceAndRead, enforceRateLimits, type RateLimitHeaders } from './rate-limit.ts'

export type Authenticator = Pick<Services, 'cache' | 'tokens' | 'apiKeys' | 'endedSessions' | 'now'> & {
  readonly admission: Admission
  readonly openRequests: OpenRequests
}

/** The part of a request that is known before its body. */
export interface IncomingHead {
  readonly headers: IncomingHttpHeaders
  readonly address: string
  /** If destroyed, it has already ended. */
  readonly response: Parameters<OpenRequests['open']>[1] & { readonly destroyed: boolean }
}

/** The caller; undefined if none is required. Throws a refusal. All checks of every request are here. */
export async function authenticate(
  gate: Authenticator,
  route: Route,
  { headers, address, response }: IncomingHead,
  told: RateLimitHeaders,
): Promise<Caller | undefined> {
  const { caller } = await authenticateAndAnnounce(gate, route, { headers, address, response }, told)
  return caller
}

export interface Authenticated {
  readonly caller: Caller | undefined
  /** Undefined if nothing was announced; else the request has a slot until `leave` is called. */
  readonly announced: { readonly result: Announced; leave(): void } | undefined
}

/**
 * Like `authenticate`. If no check has to wait or to ask PostgreSQL, what `announcementOf` returns is announced in the round trip of the
 * checks: after all of them, and only if all allow it.
 */
export async function authenticateAndAnnounce(
  gate: Authenticator,
  route: Route,
  head: IncomingHead,
  told: RateLimitHeaders,
  announcementOf?: (caller: Caller) => Announcement | undefined,
): Promise<Authenticated> {
  const { caller, announced, isOpen } = await look(gate, route, head, told, announcementOf)
  // Disconnected meanwhile: no work starts, and a response that has already ended would count as open forever. What was announced is
  // completed, because its mark promises that.
  if (head.response.destroyed && !announced) throw refuse('invalid_request', 'the client disconnected before the request was accepted')
  if (caller && !isOpen) gate.openRequests.open(caller.user_id, head.response, kindOf(route))
  return { caller, announced }
}

function kindOf(route: Route): OpenKind {
  return route.rate === 'model' ? 'model_calls' : 'requests'
}

async function look(
  gate: Authenticator,
  route: Route,
  { headers, address, response }: IncomingHead,
  told: RateLimitHeaders,
  announcementOf?: (caller: Caller) => Announcement | undefined,
): Promise<Authenticated & { readonly isOpen: boolean }> {
  // Guessing tokens is limited too: a token that was refused still counts for its address.
  const identified = identify(gate, route, headers)
  const caller = identified instanceof Promise ? await identified : identified
  if (caller instanceof Error || !caller) {
    await enforceRateLimits(gate.cache, route, { address }, told)
    if (caller) throw caller
    return { caller, announced: undefined, isOpen: false }
  }
  const { user_id, session_id } = caller
  const asker = { address, user: user_id }
  const together = startNow(gate, route, response, caller, announcementOf)
  const { value: seen, announced } = together
    ? await announce(gate, route, asker, { caller, ...together }, told)
    : { value: await enforceAndRead(gate.cache, route, asker, sessionKey(user_id, session_id), told), announced: undefined }
  const patience = route.rate === 'heartbeat' ? 'patient' : 'strict'
  // An announcement was made only if the session is open.
  if (!announced && (await gate.endedSessions.has(user_id, session_id, { seen, patience }))) {
    throw refuse('session_ended', 'this session was signed out')
  }
  return { caller, announced, isOpen: together !== undefined }
}

interface Together {
  readonly announcement: Announcement
  leave(): void
}

/** If nothing that follows the rate limits would refuse the request or let it wait, it is counted as open and has a slot from now on. */
function startNow(
  gate: Authenticator,
  route: Route,
  response: IncomingHead['response'],
  caller: Caller,
  announcementOf: ((caller: Caller) => Announcement | undefined) | undefined,
): Together | undefined {
  const announcement = announcementOf?.(caller)
  if (!announcement || response.destroyed || gate.openRequests.isFull(caller.user_id, kindOf(route))) return undefined
  const leave = gate.admission.enterNow(caller.user_id)
  if (!leave) return undefined
  gate.openRequests.open(caller.user_id, response, kindOf(route))
  return { announcement, leave }
}

async function announce(
  { cache, now }: Authenticator,
  route: Route,
  asker: { readonly address: string; readonly user: string },
  { caller, announcement, leave }: Together & { readonly caller: Caller },
  told: RateLimitHeaders,
): Promise<Pick<Authenticated, 'announced'> & { readonly value: string | undefined }> {
  let result: Announced | undefined
  try {
    const proof = patientProof(caller.user_id, caller.session_id, now())
    const admitted = await enforceAndAnnounce(cache, route, asker, proof, announcement, told)
    result = admitted.announced
    return { value: admitted.value, announced: result && { result, leave } }
  } finally {
    if (!result) leave()
  }
}

type Identified = Caller | Error | undefined

/** The refusal is a value here, because the address must still be counted. */
function identify(gate: Authenticator, route: Route, headers: IncomingHttpHeaders): Identified | Promise<Identified> {
  if (route.auth === 'none') return undefined
  const header = headers.authorization ?? keyHeader(route, headers)
  if (header === undefined) return refuse('unauthorized', 'the request has no Authorization header')
  // Nearly every request: its token was verified a moment ago, so that its form is known.
  return (header.startsWith(scheme) && gate.tokens.known(header.slice(scheme.length), gate.now())) || identifyAnew(gate, route, header)
}

const scheme = 'Bearer '

async function identifyAnew(gate: Authenticator, route: Route, header: string): Promise<Identified> {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]{1,8000})$/i.exec(header)?.[1]
  if (token === undefined) return refuse('invalid_token', 'the Authorization header is not a Bearer token')
  if (isApiKey(token)) return identifyKey(gate, route, token)
  const result = await gate.tokens.check(token, gate.now())
  if (result.ok) return result.caller
  const retry = result.code === 'accounts_unavailable' ? { retry_after_seconds: 2 } : {}
  return refuse(result.code, tokenRefusals[result.code], retry)
}

async function identifyKey(gate: Authenticator, route: Route, text: string): Promise<Caller | Error> {
  try {
    const key = await gate.apiKeys.check(text)
    if (!key) return refuse('invalid_api_key', 'this API key was revoked or never existed')
    const needed = keyScopeOf(route)
    if (needed === undefined) return refuse('insufficient_scope', 'an API key cannot be used for this: sign in')
    if (!key.scopes.includes(needed)) return refuse('insufficient_scope', `this API key does not have the scope ${needed}`)
    return key.caller
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const tokenRefusals = {
  token_expired: 'the access token has expired',
  invalid_token: 'the access token was not issued by this service',
  accounts_unavailable: 'the keys for verifying tokens are not available',
}

/** Anthropic's clients send their key in a header of their own. */
function keyHeader(route: Route, headers: IncomingHttpHeaders): string | undefined {
  const key = route.tag === 'llm' ? headers['x-api-key'] : undefined
  return key === undefined ? undefined : `Bearer ${key}`
}
