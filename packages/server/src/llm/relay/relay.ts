// One model call from start to end: parsed, counted, sent, returned, and settled exactly once.
import type { ServerResponse } from 'node:http'
import { type ProblemCode, problems } from '@tandem/contract/problem'
import { dialectBody } from '../../http/dialect.ts'
import type { Exchange } from '../../http/direct/exchange.ts'
import { newId } from '../../http/id.ts'
import { type Refusal, refuse } from '../../http/refusal.ts'
import { invalid } from '../../http/validation/fault.ts'
import { dialectOf, type Operation } from '../../operation.ts'
import type { Gateway } from '../gateway.ts'
import type { CallOutcome, Reservation } from '../meter.ts'
import type { CallAbort } from '../stop.ts'
import { type CallerConnection, makeAttempts, type Outcome } from './attempts.ts'
import { estimateInput } from './estimate.ts'
import type { Failure } from './failure.ts'
import { callerHeaders, deviceIn, upstreamHeaders } from './headers.ts'
import { type ModelRequest, parseModelRequest } from './model-request.ts'
import { type PumpResult, pump, type StreamEnd } from './pump.ts'
import { finalUsage, nothingUsed } from './usage.ts'
import { findUsage } from './usage-finder.ts'

export interface RelayCall {
  readonly user_id: string
  readonly operation: Operation
  readonly exchange: Exchange
}

/** The maximum length of a response if neither the caller nor the configuration sets it. */
const usualOutput = 4_096
/** The common status for logs: the caller closed the request. */
const closedRequest = 499

/** Takes ownership of `body`: a stream may take minutes, and its request must not be kept in memory as long. */
export async function relay(gateway: Gateway, call: RelayCall, body: Buffer): Promise<void> {
  const { operation, exchange } = call
  const { head, response } = exchange
  const started = performance.now()
  const ask = readBody(body)
  const resolved = gateway.directory.resolve(ask.models, operation)
  if (!resolved.ok) throw refuse(resolved.code, resolved.detail, { errors: [{ pointer: '/model', message: resolved.detail }] })
  const { candidates } = resolved

  const generation_id = newId(gateway.now())
  head.headers({ 'x-generation-id': generation_id })
  if (dialectOf[operation] === 'anthropic') head.headers({ 'request-id': exchange.id })
  const leave = gateway.enter(ask.bytes.length)
  const { line, close } = openLine(response)
  try {
    const input_tokens = operation === 'count_tokens' ? 0 : estimateInput(ask.bytes)
    const reservation = await reserve(gateway, call, ask, { model: candidates[0].id, generation_id, input_tokens })
    head.headers(reservation.headers)
    const asked = { stream: ask.stream, wants_usage: ask.wants_usage, input_tokens }
    const account = { reservation, started }
    try {
      const headers = upstreamHeaders(exchange.headers, call.user_id)
      const tools = gateway.attempts(exchange.log, generation_id)
      const outcome = await makeAttempts(tools, {
        ask,
        operation,
        candidates,
        headers,
        account: call.user_id,
        request_id: exchange.id,
        line,
      })
      leave()
      await answer(gateway, call, asked, outcome, account)
    } catch (error) {
      // A bug of ours must not leave a reservation behind; a settled call is not changed.
      settle(account, { model: candidates[0].id, attempts: 0, status: 500, usage: nothingUsed })
      throw error
    }
  } finally {
    leave()
    close()
  }
}

/** What is still needed of a request after it was sent. */
interface Asked {
  readonly stream: boolean
  readonly wants_usage: boolean
  /** Estimated. */
  readonly input_tokens: number
}

async function answer(gateway: Gateway, call: RelayCall, asked: Asked, outcome: Outcome, account: Account): Promise<void> {
  const { operation, exchange } = call
  const told = { model: outcome.candidate.id, attempts: outcome.attempts }
  if (outcome.kind === 'hung_up') {
    const usage = outcome.reached ? finalUsage({}, { input_tokens: asked.input_tokens, output_bytes: 0 }, operation) : nothingUsed
    return settle(account, { ...told, status: closedRequest, usage })
  }
  if (outcome.kind === 'failed') {
    settle(account, { ...told, status: statusOf(outcome.failure), usage: nothingUsed })
    return tell(outcome.failure, exchange)
  }
  const first_byte = performance.now()
  const carried = await carry(gateway, call, asked, outcome)
  if (carried.ending !== 'complete' && carried.ending !== 'hung_up') gateway.breakers.tell(outcome.candidate, 'failed', call.user_id)
  const usage = finalUsage(carried.seen, { input_tokens: asked.input_tokens, output_bytes: carried.text_bytes }, operation)
  settle(account, { ...told, status: endings[carried.ending].status ?? outcome.reply.status, usage, first_byte })
}

interface Account {
  readonly reservation: Reservation
  /** By `performance.now()`. */
  readonly started: number
}

type Settlement = Pick<CallOutcome, 'status' | 'model' | 'usage' | 'attempts'> & { readonly first_byte?: number }

function settle({ reservation, started }: Account, { first_byte, ...told }: Settlement): void {
  reservation.settle({
    ...told,
    aborted: told.status === closedRequest,
    first_byte_ms: first_byte === undefined ? null : Math.round(first_byte - started),
    duration_ms: Math.round(performance.now() - started),
  })
}

function readBody(body: Buffer): ModelRequest {
  const read = parseModelRequest(body)
  if (read.ok) return read.ask
  throw invalid([{ pointer: read.pointer, message: read.message }])
}

interface Reserving {
  readonly model: string
  readonly generation_id: string
  readonly input_tokens: number
}

async function reserve(
  gateway: Gateway,
  call: RelayCall,
  ask: ModelRequest,
  { model, generation_id, input_tokens }: Reserving,
): Promise<Reservation> {
  const { operation, user_id, exchange } = call
  const generates = operation !== 'embeddings' && operation !== 'count_tokens'
  const reserved = await gateway.meter.reserve({
    generation_id,
    user_id,
    device_id: deviceIn(exchange.headers),
    operation,
    model,
    estimated_input_tokens: input_tokens,
    max_output_tokens: generates ? (ask.max_output_tokens ?? gateway.directory.outputMax(model) ?? usualOutput) : 0,
  })
  if (reserved.ok) return reserved.reservation
  throw refuse(reserved.code, reserved.detail, { retry_after_seconds: reserved.retry_after_seconds })
}

/** Detects that the caller disconnects, from now on until closed. */
function openLine(raw: ServerResponse): { line: CallerConnection; close: () => void } {
  const line = { gone: raw.destroyed, current: undefined as CallAbort | undefined }
  const hungUp = () => {
    line.gone = true
    line.current?.abort(new Error('the client disconnected'))
  }
  // A model may think longer than the idle timeout of a connection; our own deadlines apply instead.
  raw.socket?.setTimeout(0)
  raw.once('close', hungUp)
  return { line, close: () => raw.off('close', hungUp) }
}

type Replied = Extract<Outcome, { kind: 'replied' }>

async function carry(gateway: Gateway, { operation, exchange }: RelayCall, asked: Asked, outcome: Replied): Promise<PumpResult> {
  const { headers, status, body } = outcome.reply
  const type = headers['content-type'] ?? 'application/json'
  const events = /^text\/event-stream\b/i.test(type)
  const kind = events ? 'events' : 'document'
  const raw = exchange.response
  const head = exchange.head.values
  Object.assign(head, callerHeaders(headers), headersOf[kind])
  head['content-type'] = type
  const whole = events ? undefined : body.whole?.(gateway.reply_bytes_max)
  if (whole) return carryWhole(exchange, status, whole)
  if (!events && headers['content-length'] !== undefined) head['content-length'] = headers['content-length']
  exchange.begin(status)
  if (events) raw.flushHeaders()
  const { idle_ms, ping_ms } = gateway.deadlines
  const carried = await pump(body, raw, {
    events,
    strip: operation === 'chat_completions' && !asked.wants_usage,
    idle_ms: asked.stream ? idle_ms : Math.max(idle_ms, gateway.deadlines.whole_ms),
    ping_ms,
    bytes_max: gateway.reply_bytes_max,
    abort: outcome.abort,
  })
  const { problem } = endings[carried.ending]
  if (carried.ending === 'complete') raw.end()
  else if (!problem) raw.destroy()
  else if (events) {
    const refusal = refuse(problem.code, `${outcome.candidate.upstream.name} ${problem.detail}`)
    // An event that was forwarded in pieces has no end: end it, or the error would become part of it.
    raw.end(`${carried.between ? '' : '\n\n'}${errorEvent(operation, refusal, exchange.id)}`)
  }
  // Half a document must not look complete.
  else raw.destroy()
  return carried
}

/** A document that arrived together with its head, as short ones do: sent at once, in one piece. */
function carryWhole(exchange: Exchange, status: number, whole: Buffer): PumpResult {
  const { response } = exchange
  const ending = response.destroyed ? 'hung_up' : 'complete'
  exchange.head.values['content-length'] = whole.length
  exchange.begin(status)
  response.end(whole)
  const found = findUsage()
  found.push(whole)
  return { ending, seen: found.usage() ?? {}, text_bytes: whole.length, between: true }
}

const headersOf = {
  events: { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no', 'x-content-type-options': 'nosniff' },
  document: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
} as const

interface EndingTold {
  /** The status of the call in the ledger; by default that of the provider. */
  readonly status?: number
  readonly problem?: { readonly code: ProblemCode; readonly detail: string }
}

const endings = {
  complete: {},
  hung_up: { status: closedRequest },
  cut: { status: 502, problem: { code: 'upstream_failed', detail: 'closed the connection in the middle of the response' } },
  late: { status: 504, problem: { code: 'upstream_timeout', detail: 'stopped sending in the middle of the response' } },
  too_large: { status: 502, problem: { code: 'upstream_failed', detail: 'returned a response that is too large' } },
} as const satisfies Record<StreamEnd, EndingTold> as Record<StreamEnd, EndingTold>

/** After the first byte an error is sent in the stream, without the events of a normal end. */
function errorEvent(operation: Operation, refusal: Refusal, requestId: string): string {
  const body = dialectBody(dialectOf[operation], refusal, requestId)
  if (operation === 'chat_completions') return `data: ${JSON.stringify(body)}\n\n`
  if (operation !== 'responses') return `event: error\ndata: ${JSON.stringify(body)}\n\n`
  const { message } = refusal
  return `event: error\ndata: ${JSON.stringify({ type: 'error', code: refusal.code, message, param: null, sequence_number: 0, ...body })}\n\n`
}

function statusOf(failure: Failure): number {
  return failure.kind === 'told' ? failure.status : problems[failure.code].status
}

function tell(failure: Failure, exchange: Exchange): void {
  if (failure.kind === 'told') {
    // It was already retried as often as useful.
    const headers = {
      'x-should-retry': 'false',
      ...failure.headers,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    }
    exchange.send(failure.status, headers, failure.body)
    return
  }
  const { code, detail, retry_after_ms } = failure
  throw refuse(code, detail, retry_after_ms === undefined ? {} : { retry_after_seconds: Math.max(1, Math.ceil(retry_after_ms / 1_000)) })
}
