// One turn of a model over HTTP. Retrying, context and tools are the loop's affair.
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createParser } from 'eventsource-parser'
import type { Clock } from '../clock/clock.ts'
import { errorIn, failureOf, type ModelFailure } from './failure.ts'
import type { ModelMessage, ModelTool } from './message.ts'
import { type Arrived, type Turn, turnBuilder } from './turn.ts'

export interface ModelAddress {
  /** As the API's own clients take it: `https://host/v1`. */
  readonly base_url: string
  /** Asked for at each call: tokens of an account are renewed. Null where none is needed. */
  key(): Promise<string | null>
}

export interface TurnRequest {
  readonly model: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly temperature: number | null
  readonly signal: AbortSignal
  onText(arrived: Arrived): void
}

export type TurnOutcome = { readonly ok: true; readonly turn: Turn } | { readonly ok: false; readonly failure: ModelFailure }

export interface Model {
  /** Throws only the signal's reason. */
  turn(request: TurnRequest): Promise<TurnOutcome>
  close(): void
}

/** How long a model may be silent: a large one thinks for minutes before its first word. */
const silence_ms = 5 * 60_000
const connect_ms = 15_000
const longestAnswer = 64 * 1024 * 1024

export function openModel(address: ModelAddress, clock: Clock): Model {
  const secure = address.base_url.startsWith('https:')
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const url = new URL(`${address.base_url.replace(/\/+$/, '')}/chat/completions`)

  async function turn({ model, messages, tools, temperature, signal, onText }: TurnRequest): Promise<TurnOutcome> {
    const body = bodyOf(model, messages, tools, temperature)
    const key = await address.key()
    signal.throwIfAborted()
    const ended = new AbortController()
    const stop = () => ended.abort(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return withoutKey(await ask(body, key, ended, onText), key)
    } catch (error) {
      signal.throwIfAborted()
      return { ok: false, failure: unanswered(error, url) }
    } finally {
      signal.removeEventListener('abort', stop)
      ended.abort(over)
    }
  }

  function ask(body: Buffer, key: string | null, ended: AbortController, onText: TurnRequest['onText']): Promise<TurnOutcome> {
    return new Promise((resolve, reject) => {
      const tooSlow = (what: string) => () => ended.abort(new SilenceError(what))
      let cancel = clock.after(connect_ms, tooSlow('it could not be reached in time'))
      const wait = () => {
        cancel()
        cancel = clock.after(silence_ms, tooSlow('it said nothing for too long'))
      }
      const settle = (outcome: TurnOutcome) => {
        cancel()
        resolve(outcome)
      }
      const fail = (error: unknown) => {
        cancel()
        reject(ended.signal.reason instanceof SilenceError ? ended.signal.reason : error)
      }
      const headers = {
        'content-type': 'application/json',
        'content-length': body.length,
        accept: 'text/event-stream',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      }
      const call = (secure ? httpsRequest : httpRequest)(url, { method: 'POST', agent, headers, signal: ended.signal })
      let begun = false
      // Once it has begun to answer it was reached: whatever goes wrong then broke the answer off.
      const breakOff = (error: unknown) => fail(begun ? new BrokenOffError(String(error)) : error)
      call.on('error', breakOff)
      call.on('socket', (socket) => (socket.connecting ? socket.once('connect', wait) : wait()))
      call.on('response', (response) => {
        begun = true
        wait()
        response.on('data', wait)
        readAnswer(response, onText).then(settle, breakOff)
      })
      call.end(body)
    })
  }

  return { turn, close: () => agent.destroy() }
}

/** The tools are most of it, and the same in every turn. */
const toolTexts = new WeakMap<readonly ModelTool[], string>()

function bodyOf(model: string, messages: readonly ModelMessage[], tools: readonly ModelTool[], temperature: number | null): Buffer {
  const rest = { ...(temperature === null ? {} : { temperature }), stream: true, stream_options: { include_usage: true } }
  const body = JSON.stringify({ model, messages, ...rest })
  if (tools.length === 0) return Buffer.from(body)
  let text = toolTexts.get(tools)
  if (text === undefined) {
    text = JSON.stringify(tools)
    toolTexts.set(tools, text)
  }
  return Buffer.from(`${body.slice(0, -1)},"tools":${text}}`)
}

/** A server that echoes what it was sent must not get the key into a record. */
function withoutKey(outcome: TurnOutcome, key: string | null): TurnOutcome {
  if (outcome.ok || !key) return outcome
  return { ok: false, failure: { ...outcome.failure, message: outcome.failure.message.replaceAll(key, '[key]') } }
}

async function readAnswer(response: IncomingMessage, onText: TurnRequest['onText']): Promise<TurnOutcome> {
  const status = response.statusCode ?? 0
  if (status !== 200) return { ok: false, failure: failureOf(status, await text(response), response.headers['retry-after']) }
  const builder = turnBuilder()
  if (!response.headers['content-type']?.includes('text/event-stream')) {
    builder.add(JSON.parse(await text(response)))
    const turn = builder.finish()
    onText({ text: turn.text, thinking: turn.thinking })
    return { ok: true, turn }
  }
  let failure: ModelFailure | null = null
  let done = false
  const parser = createParser({
    onEvent({ data }) {
      if (data === '[DONE]') done = true
      else failure ??= take(data)
    },
  })
  function take(data: string): ModelFailure | null {
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      return broken(`the model sent something that is not JSON: ${data.slice(0, 200)}`)
    }
    if (typeof chunk === 'object' && chunk !== null && 'error' in chunk && chunk.error) return broken(errorIn(data).message)
    const arrived = builder.add(chunk)
    if (arrived.text || arrived.thinking) onText(arrived)
    return null
  }
  const decoder = new TextDecoder()
  let bytes = 0
  for await (const piece of response) {
    bytes += piece.length
    if (bytes > longestAnswer) return { ok: false, failure: broken('the answer is larger than any answer may be') }
    parser.feed(decoder.decode(piece, { stream: true }))
    if (failure) return { ok: false, failure }
  }
  if (!done && !builder.finished()) return { ok: false, failure: broken('the answer broke off') }
  return { ok: true, turn: builder.finish() }
}

async function text(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of response) {
    bytes += piece.length
    if (bytes > longestAnswer) break
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** Made once: an abort without a reason makes an error with a stack each time. */
const over = new Error('the turn is over')

class SilenceError extends Error {}
class BrokenOffError extends Error {}

function broken(message: string): ModelFailure {
  return { code: 'broken_stream', message, status: null, retry_after_ms: null }
}

function unanswered(error: unknown, { host }: URL): ModelFailure {
  const facts = { status: null, retry_after_ms: null }
  if (error instanceof SilenceError) return { code: 'timeout', message: `no answer from ${host}: ${error.message}`, ...facts }
  if (error instanceof BrokenOffError)
    return { code: 'broken_stream', message: `the answer of ${host} broke off: ${error.message}`, ...facts }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'unreachable', message: `${host} can't be reached: ${code || message}`, ...facts }
}
