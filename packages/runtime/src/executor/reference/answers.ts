// What an executor answers to those who have shown the token.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type ExecutorCapabilities,
  type ExecutorHealth,
  executorEndpoints,
  executorLimits,
  executorProtocols,
  type HandshakeResponse,
  negotiateProtocol,
} from '@tandem/contract/executor'
import { HandshakeRequest } from '@tandem/contract/executor/schema'
import { Check } from 'typebox/value'
import { type Clock, timestamp } from '../../clock/clock.ts'
import { answerJob } from './jobs/job-answers.ts'
import type { Jobs } from './jobs/jobs.ts'
import { parsed, send } from './response.ts'

export interface Answering {
  readonly offer: ExecutorCapabilities
  readonly jobs: Jobs
  readonly clock: Clock
}

const session_ms = 5 * 60_000
/** For requests that are short. */
const body_ms = 10_000

export async function answer(request: IncomingMessage, response: ServerResponse, { offer, jobs, clock }: Answering): Promise<void> {
  const { handshake, capabilities, health } = executorEndpoints
  const { url = '' } = request
  const read = (limit: number) => limitedBody(request, limit, clock)
  if (url.startsWith('/jobs/')) return await answerJob(request, response, { jobs, read })
  const endpoint = Object.values(executorEndpoints).find(({ path }) => path === url)
  if (!endpoint) return send(response, 404)
  if (request.method !== endpoint.method) return send(response, 405)
  if (endpoint.path === capabilities.path) return send(response, 200, offer)
  if (endpoint.path === health.path) return send(response, 200, healthNow(jobs, clock))
  if (endpoint.path !== handshake.path) return send(response, 404)
  const body = await read(executorLimits.request_bytes)
  if (body === null) return send(response, 413)
  const asked = parsed(body)
  if (!Check(HandshakeRequest, asked)) return send(response, 400)
  send(response, 200, shakenHands(asked, offer, clock))
}

function shakenHands({ protocols }: HandshakeRequest, { executor, capabilities }: ExecutorCapabilities, clock: Clock): HandshakeResponse {
  const protocol = negotiateProtocol(protocols, executorProtocols)
  if (protocol === undefined)
    return { verdict: 'refused', protocols: [...executorProtocols], message: 'This executor supports none of the offered protocols.' }
  const expires_at = timestamp(clock.now() + session_ms)
  return { verdict: 'accepted', protocol, session_id: randomUUID(), executor, capabilities, workspace: null, expires_at }
}

function healthNow(jobs: Jobs, clock: Clock): ExecutorHealth {
  return { status: 'ok', running_jobs: jobs.running(), ts: timestamp(clock.now()) }
}

/** Null if it is too long. */
async function limitedBody(request: IncomingMessage, limit: number, clock: Clock): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  const cancel = clock.after(body_ms, () => request.destroy())
  try {
    for await (const chunk of request) {
      size += chunk.length
      if (size > limit) return null
      chunks.push(chunk)
    }
  } finally {
    cancel()
  }
  return Buffer.concat(chunks).toString('utf8')
}
