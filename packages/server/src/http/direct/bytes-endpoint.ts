// An endpoint whose body and response are bytes that are passed on without parsing.
import type { Route } from '@tandem/contract/http'
import { limits } from '@tandem/contract/limits'
import type { Caller } from '../../token/tokens.ts'
import { authenticate } from '../admission/gate.ts'
import { readBody, requireJson } from '../body/body.ts'
import { Refusal } from '../refusal.ts'
import { requestCheck } from '../validation/validate.ts'
import type { DirectEndpoint } from './direct.ts'
import { type Exchange, queryOf } from './exchange.ts'

export function bytesEndpoint(route: Route, handle: (caller: Caller, exchange: Exchange, body: Buffer) => Promise<void>): DirectEndpoint {
  const check = requestCheck(route)
  return {
    route,
    async serve(exchange, gate) {
      const { request, head } = exchange
      const caller = await authenticate(gate, route, exchange, head)
      if (!caller) throw new Error('a call of a model without a caller')
      exchange.user_id = caller.user_id
      check({ params: {}, query: queryOf(request), headers: request.headers, body: undefined })
      requireJson(request)
      await handle(caller, exchange, await takeBody(exchange, route))
    },
  }
}

export async function takeBody({ request, head }: Exchange, route: Route): Promise<Buffer> {
  try {
    return await readBody(request, route.body_limit ?? limits.body_bytes)
  } catch (error) {
    // A body that is too large is drained, so that its sender can read the reason; one that is too slow has no end.
    if (!(error instanceof Refusal && error.code === 'payload_too_large')) head.headers({ connection: 'close' })
    throw error
  }
}
