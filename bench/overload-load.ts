// Load at a fixed rate. In an open loop, requests are sent and timed when they are due, whether or not earlier ones were answered.
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface Outcome {
  /** Milliseconds of each successful request. */
  readonly accepted: number[]
  /** Responses with 429 or 503. */
  refused: number
  /** Any other response, or none. */
  failed: number
  seconds: number
}

const senders = 40
const patience = 30_000

export interface Load {
  closed(next: () => LoadRequest, callers: number, seconds: number): Promise<Outcome>
  open(next: () => LoadRequest, perSecond: number, seconds: number): Promise<Outcome>
  close(): void
}

export function openLoad(base: string): Load {
  // As many addresses as senders: a single address would rightly be rate limited.
  const agents = Array.from({ length: senders }, () => new Agent({ keepAlive: true, maxSockets: 50 }))
  let turn = 0

  function fire(shot: LoadRequest, due: number, outcome: Outcome): Promise<void> {
    turn = (turn + 1) % senders
    const options = {
      method: 'POST',
      agent: agents[turn],
      localAddress: `127.0.1.${turn + 1}`,
      headers: { ...shot.headers, 'content-type': 'application/json', 'content-length': String(shot.body.length) },
      timeout: patience,
    }
    return new Promise((resolve) => {
      const call = request(new URL(shot.path, base), options, (reply) => {
        reply.resume()
        reply.once('close', () => {
          const status = reply.statusCode ?? 0
          if (status < 300) outcome.accepted.push(performance.now() - due)
          else if (status === 429 || status === 503) outcome.refused += 1
          else outcome.failed += 1
          resolve()
        })
      })
      call.once('timeout', () => call.destroy(new Error('no answer')))
      call.once('error', () => {
        outcome.failed += 1
        resolve()
      })
      call.end(shot.body)
    })
  }

  return {
    async closed(next, callers, seconds) {
      const outcome: Outcome = { accepted: [], refused: 0, failed: 0, seconds }
      const end = performance.now() + seconds * 1_000
      await Promise.all(
        Array.from({ length: callers }, async () => {
          while (performance.now() < end) await fire(next(), performance.now(), outcome)
        }),
      )
      return outcome
    },
    async open(next, perSecond, seconds) {
      const outcome: Outcome = { accepted: [], refused: 0, failed: 0, seconds }
      const started = performance.now()
      const total = Math.round(perSecond * seconds)
      const under: Promise<void>[] = []
      for (let index = 0; index < total; index += 1) {
        const due = started + (index * 1_000) / perSecond
        const wait = due - performance.now()
        if (wait > 1) await sleep(wait)
        under.push(fire(next(), due, outcome))
      }
      await Promise.all(under)
      outcome.seconds = (performance.now() - started) / 1_000
      return outcome
    },
    close() {
      for (const agent of agents) agent.destroy()
    },
  }
}
