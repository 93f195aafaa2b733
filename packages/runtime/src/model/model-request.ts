// One HTTP request to a model's server, with its timeouts.
import { type Agent as HttpAgent, request as httpRequest } from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Clock } from '../clock/clock.ts'
import { clientFailure, type ModelFailure } from './failure.ts'
import { type ModelResponse, readResponse } from './response.ts'
import type { StreamedPiece } from './turn.ts'

export interface ExchangeRequest {
  readonly url: URL
  readonly agent: HttpAgent | HttpsAgent
  readonly body: Buffer
  readonly key: string | null
  /** Its reason is thrown. */
  readonly signal: AbortSignal
  onText(arrived: StreamedPiece): void
}

const connect_ms = 15_000
/** How long a model may be silent: a large one thinks for minutes before its first token. */
const silence_ms = 5 * 60_000
/** How long a server may only keep the connection open. */
const signsOnly_ms = 10 * 60_000
/** After the end of the response: only the token count may follow. */
const afterEnd_ms = 10_000
/** For the end of a stream whose last event was read. */
const drain_ms = 1_000

/** Throws only the signal's reason. */
export async function sendModelRequest(request: ExchangeRequest, clock: Clock): Promise<ModelResponse> {
  const { signal, url } = request
  signal.throwIfAborted()
  const ended = new AbortController()
  const stop = () => ended.abort(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  let answered = false
  try {
    const answer = await ask(request, ended, clock)
    answered = answer.ok
    return answer
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, failure: unanswered(error, url), facts: null, noApi: false }
  } finally {
    signal.removeEventListener('abort', stop)
    if (!answered) ended.abort(over)
  }
}

function ask({ url, agent, body, key, onText }: ExchangeRequest, ended: AbortController, clock: Clock): Promise<ModelResponse> {
  return new Promise((resolve, reject) => {
    const giveUp = (why: string) => () => ended.abort(new SilenceError(why))
    let cancelSilence = clock.after(connect_ms, giveUp('it could not be reached in time'))
    let cancelSigns: () => void = () => undefined
    const heard = () => {
      cancelSilence()
      cancelSilence = clock.after(silence_ms, giveUp(`it sent nothing for ${silence_ms / 60_000} minutes`))
    }
    const progressed = () => {
      cancelSigns()
      cancelSigns = clock.after(signsOnly_ms, giveUp(`it only kept the connection open for ${signsOnly_ms / 60_000} minutes`))
    }
    const settled = () => {
      cancelSilence()
      cancelSigns()
    }
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'text/event-stream, application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    }
    const call = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, { method: 'POST', agent, headers, signal: ended.signal })
    let begun = false
    // Once a response has started, the server was reached: a later error is an interrupted response.
    const fail = (error: unknown) => {
      settled()
      const reason = ended.signal.reason
      reject(reason instanceof SilenceError ? reason : begun ? new BrokenOffError(textOf(error)) : error)
    }
    call.on('error', fail)
    call.on('socket', (socket) => (socket.connecting ? socket.once('connect', heard) : heard()))
    call.on('response', (response) => {
      begun = true
      heard()
      progressed()
      response.on('data', heard)
      const watch = {
        onText,
        progressed,
        enough() {
          response.off('data', heard)
          response.resume()
          const cancel = clock.after(drain_ms, () => response.destroy())
          response.once('close', cancel)
        },
        finished() {
          settled()
          response.off('data', heard)
          cancelSilence = clock.after(afterEnd_ms, () => response.destroy())
        },
        now: clock.now,
      }
      readResponse(response, watch).then((answer) => {
        settled()
        resolve(answer)
      }, fail)
    })
    call.end(body)
  })
}

/** Created once: an abort without a reason creates an error with a stack each time. */
const over = new Error('the turn has ended')

class SilenceError extends Error {}
class BrokenOffError extends Error {}

function unanswered(error: unknown, { host }: URL): ModelFailure {
  if (error instanceof SilenceError) return clientFailure('timeout', `no response from ${host}: ${error.message}`)
  if (error instanceof BrokenOffError) return clientFailure('broken_stream', `the response of ${host} was interrupted: ${error.message}`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return clientFailure('unreachable', `${host} cannot be reached: ${code || textOf(error)}`)
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
