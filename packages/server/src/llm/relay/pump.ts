// Forwards a response body to the caller as it arrives, no faster than the caller reads, and returns how it ended.
import type { ServerResponse } from 'node:http'
import type { ByteFlow } from '../flow.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import type { ReportedUsage } from './usage.ts'
import { findUsage, type UsageFinder } from './usage-finder.ts'

/** `hung_up`: the caller disconnected, or stopped reading. `cut`: the upstream broke off. */
export type StreamEnd = 'complete' | 'hung_up' | 'cut' | 'late' | 'too_large'

export interface PumpResult {
  readonly ending: StreamEnd
  readonly seen: ReportedUsage
  /** Bytes of the model's text. */
  readonly text_bytes: number
  /** No partial event was forwarded. */
  readonly between: boolean
}

export interface PumpOptions {
  readonly events: boolean
  /** Remove the usage that the caller did not request. */
  readonly strip: boolean
  readonly idle_ms: number
  readonly ping_ms: number
  readonly bytes_max: number
  /** Closes the upstream's side. */
  readonly abort: (reason: Error) => void
}

const ping = Buffer.from(': ping\n\n')

/** The head has been sent. Leaves `to` open unless the client is gone: the caller of this function decides how it ends. */
export function pump(source: ByteFlow, to: ServerResponse, options: PumpOptions): Promise<PumpResult> {
  const { promise, resolve } = Promise.withResolvers<PumpResult>()
  const stream = options.events ? openEventStream({ strip: options.strip }) : undefined
  const found = stream ? undefined : findUsage()
  let bytes = 0
  let ended = false

  const idle = setTimeout(() => finish(source.paused ? 'hung_up' : 'late'), options.idle_ms)
  const silence = stream && setTimeout(sayPing, options.ping_ms)

  function sayPing(): void {
    if (stream?.between && !source.paused) write(ping)
    silence?.refresh()
  }

  function write(chunk: Buffer): void {
    if (chunk.length === 0) return
    silence?.refresh()
    if (!to.write(chunk)) source.pause()
  }

  function take(chunk: Buffer): void {
    if (ended) return
    bytes += chunk.length
    if (bytes > options.bytes_max) finish('too_large')
    if (ended) return
    idle.refresh()
    found?.push(chunk)
    write(stream ? stream.push(chunk) : chunk)
  }

  function resume(): void {
    if (ended) return
    idle.refresh()
    source.resume()
  }

  function end(): void {
    if (ended) return
    if (stream) write(stream.end())
    // Without its end event a stream is incomplete, and must not be mistaken for a complete one.
    finish(stream?.complete === false ? 'cut' : 'complete')
  }

  function finish(ending: StreamEnd): void {
    if (ended) return
    ended = true
    clearTimeout(idle)
    clearTimeout(silence)
    if (ending !== 'complete') {
      options.abort(new Error(`the reply was ${ending}`))
      source.destroy()
    }
    resolve({ ending, ...countOf(stream, found, bytes) })
  }

  to.on('drain', resume).on('close', () => finish('hung_up'))
  if (to.destroyed) finish('hung_up')
  source.listen({ data: take, end, cut: () => finish('cut') })
  return promise
}

function countOf(stream: EventStream | undefined, found: UsageFinder | undefined, bytes: number): Omit<PumpResult, 'ending'> {
  if (stream) return { seen: stream.seen, text_bytes: stream.text_bytes, between: stream.between }
  return { seen: found?.usage() ?? {}, text_bytes: bytes, between: true }
}
