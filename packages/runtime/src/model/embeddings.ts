// Vectors of texts from `POST …/embeddings`, checked before they count.
import type { Clock } from '../clock/clock.ts'
import { endpointUrl } from './base-url.ts'
import { failureOf, parsedBody } from './error-response.ts'
import { clientFailure, type ModelFailure } from './failure.ts'

export type Embedded =
  | { readonly ok: true; readonly vectors: readonly Float32Array[] }
  | { readonly ok: false; readonly failure: ModelFailure }

export interface EmbeddingsRequest {
  /** Where the API may be, the likeliest first. */
  readonly bases: readonly string[]
  readonly key: string | null
  readonly model: string
  readonly texts: readonly string[]
  /** Its reason is thrown. */
  readonly signal: AbortSignal
}

const patience_ms = 30_000
const largestAnswer = 64 * 1024 * 1024

/** Throws only the signal's reason. */
export async function askEmbeddings({ bases, key, model, texts, signal }: EmbeddingsRequest, clock: Clock): Promise<Embedded> {
  let last: Embedded = { ok: false, failure: clientFailure('wrong_address', 'The address of the model is empty.') }
  for (const base of bases) {
    const url = endpointUrl(base, 'embeddings')
    try {
      const { response, text } = await post(url, key, JSON.stringify({ model, input: texts, encoding_format: 'float' }), signal, clock)
      if (response.ok) return vectorsIn(text, texts.length)
      const headers = Object.fromEntries(response.headers)
      last = { ok: false, failure: failureOf({ status: response.status, body: parsedBody(text), headers }, clock.now()) }
      if (response.status !== 404 && response.status !== 405) return last
    } catch (error) {
      signal.throwIfAborted()
      return {
        ok: false,
        failure: clientFailure('unreachable', `The embeddings model at ${url.origin} did not answer: ${reasonOf(error)}.`),
      }
    }
  }
  return last
}

async function post(url: URL, key: string | null, body: string, signal: AbortSignal, clock: Clock) {
  const late = new AbortController()
  const cancel = clock.after(patience_ms, () => late.abort(new Error(`no answer within ${patience_ms / 1000} s`)))
  try {
    const headers = { 'content-type': 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) }
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.any([signal, late.signal]) })
    return { response, text: await bounded(response) }
  } finally {
    cancel()
  }
}

async function bounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > largestAnswer) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** One vector per text, in their order, all of one length, of finite numbers. */
function vectorsIn(text: string, count: number): Embedded {
  const body = parsedBody(text)
  const data = typeof body === 'object' && body !== null && 'data' in body && Array.isArray(body.data) ? body.data : []
  const placed = data.map((one: unknown, place) => placedVector(one, place)).sort((left, right) => left.place - right.place)
  const [first] = placed
  const isSound =
    placed.length === count &&
    placed.every(({ place, vector }, index) => place === index && vector.length > 0 && vector.length === first?.vector.length) &&
    placed.every(({ vector }) => vector.every((value) => Number.isFinite(value)))
  if (isSound) return { ok: true, vectors: placed.map(({ vector }) => Float32Array.from(vector)) }
  return { ok: false, failure: clientFailure('rejected', 'The embeddings model did not answer with one vector per text.') }
}

function placedVector(one: unknown, place: number): { readonly place: number; readonly vector: readonly number[] } {
  if (typeof one !== 'object' || one === null) return { place, vector: [] }
  const { index, embedding } = one as { readonly index?: unknown; readonly embedding?: unknown }
  const isVector = Array.isArray(embedding) && embedding.every((value) => typeof value === 'number')
  return { place: typeof index === 'number' ? index : place, vector: isVector ? (embedding as number[]) : [] }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
