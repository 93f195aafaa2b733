// One response of a model's server, streamed or complete: the turn, or why there is none.
import type { IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { type ErrorFacts, errorFacts, errorInside, failureOf, parsedBody } from './error-response.ts'
import { clientFailure, type ModelFailure } from './failure.ts'
import { type StreamedPiece, type Turn, turnBuilder } from './turn.ts'

export type ModelResponse =
  | { readonly ok: true; readonly turn: Turn }
  | {
      readonly ok: false
      readonly failure: ModelFailure
      /** The error of the server; null if it sent nothing readable. */
      readonly facts: ErrorFacts | null
      /** This address does not serve the API. */
      readonly noApi: boolean
    }

export interface ResponseObserver {
  onText(arrived: StreamedPiece): void
  /** Part of the response arrived, more than a keep-alive. */
  progressed(): void
  /** The model has finished; only the token count may still follow. */
  finished(): void
  /** Nothing more is needed; the rest is discarded. */
  enough(): void
  now(): number
}

const longestAnswer = 64 * 1024 * 1024

export async function readResponse(response: IncomingMessage, watch: ResponseObserver): Promise<ModelResponse> {
  const { statusCode: status = 0, headers } = response
  if (status < 200 || status > 299) return refused(status, await wholeText(response), headers, watch.now())
  if (headers['content-type']?.includes('text/event-stream')) return readStream(response, watch)
  const body = await wholeText(response)
  // Some servers stream without declaring it.
  if (/^\s*(?:data|event|:)/.test(body)) return readStream([Buffer.from(body)], watch)
  return readWhole(status, body, watch)
}

function refused(status: number, body: string, headers: IncomingMessage['headers'], now: number): ModelResponse {
  const parsed = parsedBody(body)
  const facts = errorFacts(parsed)
  const failure = failureOf({ status, body: parsed, headers }, now)
  const elsewhere = status >= 300 && status < 400 && headers.location ? URL.parse(headers.location, 'http://here.invalid') : null
  if (elsewhere) {
    const place = elsewhere.host === 'here.invalid' ? elsewhere.pathname : `${elsewhere.origin}${elsewhere.pathname}`
    const message = `The model server responded with ${status} and redirects to ${place}.`
    return { ok: false, failure: clientFailure('wrong_address', message), facts, noApi: false }
  }
  return { ok: false, failure, facts, noApi: (status === 404 || status === 405) && !isAboutModel(facts) }
}

function isAboutModel({ names, message }: ErrorFacts): boolean {
  return names.some((name) => name.includes('model')) || /\bmodel|\bno endpoints|\btool/i.test(message)
}

/** LM Studio reports it with a 200. */
const noSuchPath = /unexpected endpoint|invalid url|not found/i

function readWhole(status: number, body: string, { onText, now }: ResponseObserver): ModelResponse {
  const parsed = parsedBody(body)
  if (typeof parsed !== 'object' || parsed === null) {
    const page = /^\s*</.test(body) ? 'a web page' : 'something that is not JSON'
    const message = `The server responded with ${status} and ${page} instead of a model's response.`
    return { ok: false, failure: clientFailure('wrong_address', message), facts: null, noApi: true }
  }
  if (errorInside(parsed)) {
    const facts = errorFacts(parsed)
    const noApi = noSuchPath.test(facts.message) && !isAboutModel(facts)
    return { ok: false, failure: failureOf({ status: null, body: parsed }, now()), facts, noApi }
  }
  const builder = turnBuilder()
  builder.add(parsed)
  const turn = builder.finish()
  onText({ text: turn.text, thinking: turn.thinking })
  return { ok: true, turn }
}

async function readStream(pieces: IncomingMessage | readonly Buffer[], watch: ResponseObserver): Promise<ModelResponse> {
  const builder = turnBuilder()
  let problem: Extract<ModelResponse, { ok: false }> | null = null
  let done = false
  const parser = createParser({
    onEvent({ data }) {
      if (data.trim() === '[DONE]') done = true
      else if (!done) problem ??= take(data)
    },
  })

  function take(data: string): Extract<ModelResponse, { ok: false }> | null {
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      return broken(`the model sent invalid JSON: ${data.slice(0, 200)}`)
    }
    if (errorInside(chunk))
      return { ok: false, failure: failureOf({ status: null, body: chunk }, watch.now()), facts: errorFacts(chunk), noApi: false }
    const { isProgress, ...arrived } = builder.add(chunk)
    if (isProgress) watch.progressed()
    if (builder.finished()) watch.finished()
    if (arrived.text || arrived.thinking) watch.onText(arrived)
    return null
  }

  const decoder = new TextDecoder()
  let bytes = 0
  try {
    // Not destroyed at the end: a connection whose response is complete serves the next turn.
    for await (const piece of 'iterator' in pieces ? pieces.iterator({ destroyOnReturn: false }) : pieces) {
      bytes += piece.length
      if (bytes > longestAnswer) return broken('the response is too large')
      parser.feed(decoder.decode(piece, { stream: true }))
      if (problem) return problem
      if (done) {
        watch.enough()
        break
      }
    }
  } catch (error) {
    // A server that reports the end and keeps the stream open is disconnected.
    if (!builder.finished()) throw error
  }
  if (!done && !builder.finished()) return broken('the response was interrupted')
  return { ok: true, turn: builder.finish() }
}

function broken(message: string): Extract<ModelResponse, { ok: false }> {
  return { ok: false, failure: clientFailure('broken_stream', message), facts: null, noApi: false }
}

async function wholeText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response) {
    bytes += piece.length
    if (bytes > longestAnswer) break
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
