// An unknown address, or an unsupported method.
import type { Route } from '@tandem/contract/http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Cache } from '../cache/cache.ts'
import { enforceRateLimits } from './admission/rate-limit.ts'
import { startBodyTimer } from './body/json-body.ts'
import { sendRefusal } from './failure.ts'
import { refuse } from './refusal.ts'

export function answerUnknownAddresses(app: FastifyInstance, routes: readonly Route[], cache: Cache): void {
  const served = routes.map((route) => ({ method: route.method, pattern: pathPattern(route.path) }))
  // Its body is read before the handler is called, as everywhere.
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404 && !isPlainOptions(request)) return
    await enforceRateLimits(cache, { rate: 'probe' }, { address: request.ip }, reply)
    if (request.is404) startBodyTimer(request, reply)
    else return answer(request, reply)
  })
  app.setNotFoundHandler(answer)

  function answer(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const path = (request.url.split('?')[0] ?? '/').slice(0, 200)
    const allowed = [...new Set(served.filter(({ pattern }) => pattern.test(path)).map(({ method }) => (method === 'WS' ? 'GET' : method)))]
    if (allowed.length === 0) return sendRefusal(refuse('not_found', `there is no endpoint at ${path}`), request, reply)
    reply.header('allow', allowed.join(', '))
    return sendRefusal(refuse('method_not_allowed', `${path} does not support ${request.method}`, { allowed }), request, reply)
  }
}

/** OPTIONS is only for CORS preflight requests, which have both headers. */
function isPlainOptions({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && (headers.origin === undefined || headers['access-control-request-method'] === undefined)
}

/** An invalid URL: no hook has seen the request. */
export function answerUnreadableAddress(error: Error & { code?: string }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const tooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
  const refusal = tooLong ? refuse('not_found', 'the id is too long') : refuse('invalid_request', 'the URL has an invalid % escape')
  return sendRefusal(refusal, request, reply)
}

/** `/api/v1/tasks/:id` matches any one segment, `*` the rest. */
function pathPattern(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment === '*' ? '.+' : RegExp.escape(segment)))
    .join('/')
  return new RegExp(`^${source}/?$`)
}
