import { timingSafeEqual } from 'node:crypto'
import { healthOf, isReady } from '@tandem/contract/health'
import { routes } from '@tandem/contract/http/schema'
import type { FastifyRequest } from 'fastify'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { mergeMetrics } from '../http/merge-metrics.ts'
import { refuse } from '../http/refusal.ts'
import type { RequestMetrics } from '../http/request-metrics.ts'
import type { Services } from '../services.ts'
import { version } from '../version.ts'
import { openHealthChecks } from './health-checks.ts'

export function healthEndpoints(services: Services, meters: RequestMetrics): Endpoint[] {
  const { database, cache, blobs, config, now } = services
  const gatherMetrics = services.joinMetrics?.(() => meters.render()) ?? (async () => [meters.render()])
  const parts = openHealthChecks({ database: () => database.ping(), cache: () => cache.ping(), storage: () => blobs.ping() }, now)
  const isTrusted = (request: FastifyRequest) => isOnLoopback(request) || hasToken(request, config.metrics_token)

  return [
    endpoint(routes.health, async ({ request }) => {
      const seen = await parts.look()
      const status = healthOf(seen)
      if (!isTrusted(request)) return { status: 200, body: { status } }
      return { status: 200, body: { status, version, uptime_seconds: Math.floor(process.uptime()), parts: [...seen] } }
    }),

    endpoint(routes.ready, async ({ request, reply }) => {
      const seen = await parts.look()
      const body = {
        status: isReady(seen) ? ('ready' as const) : ('not_ready' as const),
        ...(isTrusted(request) ? { parts: [...seen] } : {}),
      }
      reply
        .code(body.status === 'ready' ? 200 : 503)
        .type('application/json')
        .send(JSON.stringify(body))
      return 'sent'
    }),

    endpoint(routes.metrics, async ({ request, reply }) => {
      if (!isTrusted(request)) throw refuse('forbidden', 'metrics are available on loopback, or with the token set in METRICS_TOKEN')
      reply.type('text/plain; version=0.0.4; charset=utf-8').send(mergeMetrics(await gatherMetrics()))
      return 'sent'
    }),
  ]
}

/** A proxy on the same host is not the caller: a request with forwarding headers does not count as loopback. */
function isOnLoopback(request: FastifyRequest): boolean {
  const forwarded = request.headers['x-forwarded-for'] ?? request.headers.forwarded
  return forwarded === undefined && /^(?:127\.|::1$|::ffff:127\.)/.test(request.ip)
}

function hasToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || given === undefined) return false
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
