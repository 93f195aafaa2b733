// The context windows of the models at one address: asks their server, and remembers its response.
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../clock/clock.ts'
import { endpointUrl, isLocal } from './base-url.ts'
import { type ContextWindow, contextWindowOf } from './context-window.ts'
import { type ReportedContextWindow, reportedContextWindow, reportedImages, type ServerResponses } from './reported-context-window.ts'

export interface ContextWindows {
  /** Waits for the server only if nothing else is known, or if it is local. Never fails: without a response, the default is used. */
  of(model: string, setting: number | null): Promise<ContextWindow>
  close(): void
}

interface AskedAddress {
  /** The base URL where the API was found. */
  base(): string
  key(): Promise<string | null>
}

const patience_ms = 4_000
const longestList = 16 * 1024 * 1024
/** A provider rarely changes its list. A local server can be restarted with another context window at any time. */
const freshFor_ms = { far: 3_600_000, near: 60_000, unanswered: 120_000 } as const

interface Known {
  readonly listed: ReportedContextWindow | null
  readonly images: boolean | null
  /** On the monotonic clock. */
  readonly until: number
}

export function openContextWindows({ base, key }: AskedAddress, clock: Clock): ContextWindows {
  const near = isLocal(base())
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<void>>()
  const closing = new AbortController()

  function ask(model: string): Promise<void> {
    const under = asking.get(model) ?? read(model).finally(() => asking.delete(model))
    asking.set(model, under)
    return under
  }

  async function read(model: string): Promise<void> {
    const late = new AbortController()
    const cancel = clock.after(patience_ms, () => late.abort(new Error('the server did not respond in time')))
    const answers = await answersFor(model, AbortSignal.any([late.signal, closing.signal]))
    cancel()
    const listed = reportedContextWindow(model, answers) ?? known.get(model)?.listed ?? null
    const images = reportedImages(model, answers) ?? known.get(model)?.images ?? null
    known.set(model, { listed, images, until: clock.elapsed() + freshFor(listed) })
  }

  function freshFor(listed: ReportedContextWindow | null): number {
    if (listed === null) return freshFor_ms.unanswered
    if (!near) return freshFor_ms.far
    // For a model that is not loaded yet, the server is asked again at the next turn: by then it is loaded.
    return listed.loaded ? freshFor_ms.near : 0
  }

  async function answersFor(model: string, signal: AbortSignal): Promise<ServerResponses> {
    const secret = await key().catch(() => null)
    const headers: Record<string, string> = secret === null ? {} : { authorization: `Bearer ${secret}` }
    const get = (url: string | URL) => json(url, { headers, signal })
    const models = get(endpointUrl(base(), 'models'))
    const { origin, pathname } = new URL(base())
    // Only local servers with their API at /v1 have the other endpoints: providers and gateways are not asked for them.
    if (!near || !/^\/(?:v1\/?)?$/.test(pathname)) return { models: await models }
    const [list, ollamaLoaded, ollamaShow, lmStudio, llamaCpp] = await Promise.all([
      models,
      get(`${origin}/api/ps`),
      json(`${origin}/api/show`, { method: 'POST', headers, body: JSON.stringify({ model }), signal }),
      get(`${origin}/api/v0/models`),
      // The request must not load a model.
      get(`${origin}/props?model=${encodeURIComponent(model)}&autoload=false`),
    ])
    return { models: list, ollamaLoaded, ollamaShow, lmStudio, llamaCpp }
  }

  return {
    async of(model, setting) {
      const without = contextWindowOf(model, { setting, listed: null })
      if (without.source === 'setting') return without
      const isFresh = (known.get(model)?.until ?? -1) > clock.elapsed()
      const asked = isFresh ? null : ask(model)
      if (near || without.source === 'default') await asked
      const { listed = null, images = null } = known.get(model) ?? {}
      const window = contextWindowOf(model, { setting, listed: listed?.tokens ?? null })
      return images === null ? window : { ...window, images }
    },
    close: () => closing.abort(new Error('the address is no longer used')),
  }
}

interface ListRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

/** Undefined for anything but JSON: a server without such a list is not an error, and the model call reports other problems. */
function json(url: string | URL, { method = 'GET', headers, body, signal }: ListRequest): Promise<unknown> {
  return new Promise((resolve) => {
    // Unreachable, slow, closed or not JSON.
    const nothing = () => resolve(undefined)
    const address = new URL(url)
    const request = address.protocol === 'https:' ? httpsRequest : httpRequest
    // Not `fetch`: loading it takes longer than the requests, and the start of a run waits for them.
    const sent = request(address, { method, headers, signal }, (response) => {
      const pieces: Buffer[] = []
      let bytes = 0
      response.on('error', nothing).on('close', nothing)
      if (response.statusCode === undefined || response.statusCode < 200 || response.statusCode > 299) {
        response.destroy()
        return
      }
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
        pieces.push(piece)
        if (bytes > longestList) response.destroy()
      })
      response.on('end', () => resolve(parsed(Buffer.concat(pieces).toString('utf8'))))
    })
    sent.on('error', nothing).end(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON.
    return undefined
  }
}
