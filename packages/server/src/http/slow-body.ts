// A body that never ends must not hold a connection for ever. An upload may be slow; JSON may not.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendRefusal } from './failure.ts'
import { type Refusal, refuse } from './refusal.ts'

export const bodyPatience = 60_000
const waiting = new WeakMap<FastifyRequest, NodeJS.Timeout>()

export function expectBody(request: FastifyRequest, reply: FastifyReply, within = bodyPatience): void {
  const timer = setTimeout(() => {
    if (reply.sent) return
    reply.header('connection', 'close')
    sendRefusal(lateBody(within), request, reply)
    reply.raw.once('finish', () => request.raw.destroy())
  }, within)
  waiting.set(request, timer)
  // Also of a caller who has gone: a timer left behind would keep a server that has stopped alive.
  request.raw.once('close', () => clearTimeout(timer))
}

export function bodyArrived(request: FastifyRequest): void {
  clearTimeout(waiting.get(request))
}

export function lateBody(within: number): Refusal {
  return refuse('request_timeout', `the body did not arrive within ${within / 1_000} s`)
}
