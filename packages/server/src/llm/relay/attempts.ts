// Tries one model after another until one answers or all have failed. Nothing has been sent to the caller yet.

import { dialectOf, type Operation } from '../../operation.ts'
import { wholeText } from '../flow.ts'
import type { Breakers, CallResult, OpenBreaker } from '../routing/breakers.ts'
import type { Candidate } from '../routing/directory.ts'
import { type Attempt, decideRetry, retryAfterOf } from '../routing/retry.ts'
import { CallAbort, pause } from '../stop.ts'
import { DeadlineError, type UpstreamReply } from '../upstream.ts'
import { type Failure, failureOf } from './failure.ts'
import { callerHeaders } from './headers.ts'
import { bodyFor, type ModelRequest } from './model-request.ts'

export interface Deadlines {
  /** Until the head of a streamed response. */
  readonly first_byte_ms: number
  /** Until the head of a response that is not streamed: the model has finished by then. */
  readonly whole_ms: number
  readonly idle_ms: number
  readonly ping_ms: number
}

export interface AttemptTools {
  readonly breakers: Breakers
  readonly deadlines: Deadlines
  readonly random: () => number
  readonly now: () => number
  /** Called for each failed attempt; never with the content of the request. */
  readonly failed: (candidate: Candidate, attempt: Attempt) => void
}

export interface AttemptCall {
  readonly ask: ModelRequest
  readonly operation: Operation
  readonly candidates: readonly [Candidate, ...Candidate[]]
  readonly headers: Readonly<Record<string, string>>
  readonly account: string
  readonly request_id: string
  readonly line: CallerConnection
}

/** The caller: whether it is still connected, and what to abort when it disconnects. */
export interface CallerConnection {
  readonly gone: boolean
  /** Aborted when the caller disconnects; replaced by each attempt. */
  current: CallAbort | undefined
}

export type Outcome =
  | {
      readonly kind: 'replied'
      readonly candidate: Candidate
      readonly reply: UpstreamReply
      readonly attempts: number
      readonly abort: (reason: Error) => void
    }
  | { readonly kind: 'failed'; readonly candidate: Candidate; readonly failure: Failure; readonly attempts: number }
  /** `reached`: some model received the request and may have processed it. */
  | { readonly kind: 'hung_up'; readonly candidate: Candidate; readonly attempts: number; readonly reached: boolean }

const errorBytesMax = 64 * 1024
const errorMilliseconds = 5_000

export async function makeAttempts(tools: AttemptTools, call: AttemptCall): Promise<Outcome> {
  const { line, candidates, account } = call
  let attempts = 0
  for (const [index, candidate] of candidates.entries()) {
    const body = bodyFor(call.ask, candidate.model, { usage: asksUsage(call.operation, candidate) })
    for (let retries = 0; ; retries += 1) {
      if (line.gone) return { kind: 'hung_up', candidate, attempts, reached: attempts > 0 }
      const rest = tools.breakers.ask(candidate, account)
      const stop = new CallAbort()
      line.current = stop
      if (!rest) attempts += 1
      const tried = rest ? resting(rest) : await tryOnce(tools, call, candidate, body, stop, index)
      if (line.gone) {
        if (!rest) tools.breakers.tell(candidate, 'left', account)
        if ('reply' in tried) tried.reply.body.destroy()
        return { kind: 'hung_up', candidate, attempts, reached: !rest }
      }
      if (!rest) tools.breakers.tell(candidate, newsOf(tried.attempt), account)
      if ('reply' in tried) return { kind: 'replied', candidate, reply: tried.reply, attempts, abort: (reason) => stop.abort(reason) }
      tools.failed(candidate, tried.attempt)

      const decision = decideRetry(tried.attempt, { retries, models_left: candidates.length - 1 - index }, tools.random)
      if (decision.next === 'other_model') break
      if (decision.next !== 'again') return { kind: 'failed', candidate, failure: tried.failure, attempts }
      await pause(decision.wait_ms, stop).catch(() => undefined)
    }
  }
  throw new Error('the last model is never followed by another')
}

type Tried = { readonly attempt: Attempt } & ({ readonly reply: UpstreamReply } | { readonly failure: Failure })

async function tryOnce(
  tools: AttemptTools,
  { ask, operation, headers, request_id }: AttemptCall,
  { upstream, model }: Candidate,
  body: Buffer,
  stop: CallAbort,
  index: number,
): Promise<Tried> {
  const { first_byte_ms, whole_ms } = tools.deadlines
  const patience = ask.stream ? first_byte_ms : whole_ms
  const late = setTimeout(() => stop.abort(new DeadlineError(`${upstream.name} did not respond in time`)), patience)
  try {
    const reply = await upstream.send({
      operation,
      model,
      // The caller's idempotency key belongs to the request as it was first made.
      headers: index === 0 ? headers : without(headers, 'idempotency-key'),
      body,
      signal: stop,
    })
    clearTimeout(late)
    if (reply.status >= 200 && reply.status < 300) return judge(upstream.name, reply)

    const retry_after_ms = retryAfterOf(reply.headers, tools.now())
    const text = await readError(reply, stop)
    const attempt: Attempt = { kind: 'answered', status: reply.status, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) }
    const betrays = (said: string) => upstream.betrays?.(said) ?? false
    const passed = callerHeaders(reply.headers)
    const told = {
      provider: upstream.name,
      dialect: dialectOf[operation],
      status: reply.status,
      text,
      headers: passed,
      retry_after_ms,
      request_id,
    }
    return { attempt, failure: failureOf({ ...told, betrays }) }
  } catch (error) {
    if (stop.reason instanceof DeadlineError || error instanceof DeadlineError) {
      return problem({ kind: 'late' }, 'upstream_timeout', `${upstream.name} did not respond in time`)
    }
    return problem({ kind: 'unreachable' }, 'upstream_failed', `${upstream.name} cannot be reached`)
  } finally {
    clearTimeout(late)
  }
}

/** A success status with another content type (a login page) is a failure, but never retried: the provider may have done the work. */
function judge(provider: string, reply: UpstreamReply): Tried {
  const type = reply.headers['content-type'] ?? 'application/json'
  const encoding = reply.headers['content-encoding'] ?? 'identity'
  if (/^(?:application\/(?:[\w.-]+\+)?json|text\/event-stream)\b/i.test(type) && encoding === 'identity') {
    return { attempt: { kind: 'answered', status: reply.status }, reply }
  }
  reply.body.destroy()
  return problem({ kind: 'unusable' }, 'upstream_failed', `${provider} returned neither JSON nor an event stream`)
}

function resting({ who, wait_ms }: OpenBreaker): Tried {
  const detail = `${who} has failed several times in a row and is paused for a moment`
  return { attempt: { kind: 'resting' }, failure: { kind: 'problem', code: 'upstream_failed', detail, retry_after_ms: wait_ms } }
}

function problem(attempt: Attempt, code: 'upstream_failed' | 'upstream_timeout', detail: string): Tried {
  return { attempt, failure: { kind: 'problem', code, detail } }
}

function newsOf(attempt: Attempt): CallResult {
  if (attempt.kind === 'unreachable' || attempt.kind === 'late') return attempt.kind
  return attempt.kind === 'answered' && attempt.status < 500 ? 'worked' : 'failed'
}

function asksUsage(operation: Operation, { upstream }: Candidate): boolean {
  return operation === 'chat_completions' && upstream.stream_usage === 'asked'
}

async function readError(reply: UpstreamReply, stop: CallAbort): Promise<string> {
  const late = setTimeout(() => stop.abort(new Error('the error took too long')), errorMilliseconds)
  try {
    return await wholeText(reply.body, errorBytesMax)
  } catch {
    // The status is enough.
    return ''
  } finally {
    clearTimeout(late)
  }
}

function without(headers: Readonly<Record<string, string>>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = headers
  return rest
}
