// Asks an address what it offers. The result says why it failed; the text of the server is never part of it, because it may repeat the key.
import type { ConnectionResult } from '@tandem/contract/model'
import type { Clock } from '../clock/clock.ts'
import { endpointUrl, isLocal } from './base-url.ts'
import { type OfferedModels, offeredModels } from './listed-models.ts'

export interface ModelsRequest {
  /** Where the API may be, the most likely first. */
  readonly candidates: readonly string[]
  readonly key: string | null
  /** An endpoint that refuses a wrong key. */
  readonly key_check: string | null
  readonly signal: AbortSignal
}

export interface AskedModels {
  readonly result: ConnectionResult
  readonly offered: OfferedModels
}

const patience_ms = 8_000
const longestList = 8 * 1024 * 1024
/** Of a local server, whose list does not describe its models. */
const mostDetails = 40
const none: OfferedModels = { models: [], omitted: 0 }

export async function askModels({ candidates, key, key_check, signal }: ModelsRequest, clock: Clock): Promise<AskedModels> {
  const late = new AbortController()
  const cancel = clock.after(patience_ms, () => late.abort(timedOut))
  const headers = { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
  const init = { headers, signal: AbortSignal.any([late.signal, signal]) }
  try {
    let last: AskedModels = { result: 'not_a_model_server', offered: none }
    for (const base of candidates) {
      const read = await readJson(endpointUrl(base, 'models'), init)
      last = await answered(base, read, key, init)
      if (last.result !== 'not_a_model_server') break
    }
    const [base] = candidates
    if (last.result !== 'reached' || key_check === null || base === undefined) return last
    // The list is public there: a wrong key would be noticed only by the first message.
    const checked = key === null ? 401 : (await readJson(endpointUrl(base, key_check), init)).status
    return checked === 401 || checked === 403 ? { result: key === null ? 'no_key' : 'wrong_key', offered: last.offered } : last
  } finally {
    cancel()
  }
}

const timedOut = new Error('the server did not respond in time')

interface ReadResponse {
  readonly status: number
  readonly value?: unknown
  readonly failure?: ConnectionResult
}

async function answered(
  base: string,
  { status, value, failure }: ReadResponse,
  key: string | null,
  init: RequestInit,
): Promise<AskedModels> {
  if (failure !== undefined) return { result: failure, offered: none }
  if (status !== 200) return { result: resultOf(status, key), offered: none }
  if (offeredModels({ models: value }) === null) return { result: 'not_a_model_server', offered: none }
  const offered = offeredModels({ models: value, ...(await ownLists(base, init)) }, await detailsOf(base, value, init)) ?? none
  return { result: offered.models.length === 0 ? 'no_models' : 'reached', offered }
}

function resultOf(status: number, key: string | null): ConnectionResult {
  if (status === 401 || status === 403) return key === null ? 'no_key' : 'wrong_key'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'server_error' : 'not_a_model_server'
}

/** Only local servers with their API at /v1 have these: providers and gateways are not asked for them. */
function hasOwnApi(base: string): boolean {
  return isLocal(base) && /^\/(?:v1\/?)?$/.test(new URL(base).pathname)
}

async function ownLists(base: string, init: RequestInit): Promise<{ readonly lmStudio?: unknown }> {
  if (!hasOwnApi(base)) return {}
  const { value } = await readJson(new URL('/api/v0/models', base), init)
  return value === undefined ? {} : { lmStudio: value }
}

/** Ollama describes each model separately. */
async function detailsOf(base: string, list: unknown, init: RequestInit): Promise<ReadonlyMap<string, unknown>> {
  if (!hasOwnApi(base)) return new Map()
  const tags = await readJson(new URL('/api/tags', base), init)
  if (tags.status !== 200) return new Map()
  const ids = (offeredModels({ models: list })?.models ?? []).slice(0, mostDetails).map(({ id }) => id)
  const shown = await Promise.all(
    ids.map(async (id) => {
      const { value } = await readJson(new URL('/api/show', base), { ...init, method: 'POST', body: JSON.stringify({ model: id }) })
      return [id, value] as const
    }),
  )
  return new Map(shown)
}

/** A connection that was kept open may be closed by now: a second attempt opens a new one. */
async function fetchOnce(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (!/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(error))) throw error
    return await fetch(url, init)
  }
}

async function readJson(url: URL, init: RequestInit): Promise<ReadResponse> {
  try {
    const response = await fetchOnce(url, { ...init, redirect: 'manual' })
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel()
      return { status: response.status }
    }
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of response.body) {
      bytes += piece.length
      if (bytes > longestList) return { status: 200, failure: 'list_too_long' }
      pieces.push(piece)
    }
    return { status: 200, value: parsed(Buffer.concat(pieces).toString('utf8')) }
  } catch (error) {
    return { status: 0, failure: failureOf(error) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: not a list of models either.
    return undefined
  }
}

/** The first matching row is used. */
const failures: readonly (readonly [RegExp, ConnectionResult])[] = [
  [/^(?:ENOTFOUND|EAI_|ENODATA)/, 'no_such_host'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENETDOWN)$/, 'unreachable'],
  [/^(?:ETIMEDOUT|UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timeout'],
  [/CERT|^ERR_(?:TLS|SSL)|^EPROTO$|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|^HOSTNAME_MISMATCH$/, 'tls'],
]

export function failureOf(error: unknown): ConnectionResult {
  if (error === timedOut) return 'timeout'
  const code = codeOf(error)
  return failures.find(([pattern]) => pattern.test(code))?.[1] ?? 'not_a_model_server'
}

/** `fetch` names it in the cause. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : ''
}
