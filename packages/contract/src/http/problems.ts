// Which problems a route can respond with: its own, and those of its kind.
import type { ProblemCode } from '../problem/index.ts'
import type { Route } from './route.ts'

export const impliedProblems = {
  every: [
    'invalid_request',
    'method_not_allowed',
    'not_found',
    'not_acceptable',
    'request_timeout',
    'headers_too_large',
    'expectation_failed',
    'rate_limited',
    'origin_refused',
    'internal_error',
    'overloaded',
    'restarting',
  ],
  user: [
    'unauthorized',
    'invalid_token',
    'token_expired',
    'session_ended',
    'invalid_api_key',
    'insufficient_scope',
    'database_unavailable',
  ],
  body: ['payload_too_large', 'unsupported_media_type'],
  idempotent: ['idempotency_key_reused', 'idempotency_in_progress'],
  websocket: ['upgrade_required'],
} as const satisfies Record<string, readonly ProblemCode[]>

export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = [...route.problems, ...impliedProblems.every]
  if (route.auth === 'user') codes.push(...impliedProblems.user)
  if (route.body) codes.push(...impliedProblems.body)
  if (route.idempotent) codes.push(...impliedProblems.idempotent)
  if (route.method === 'WS') codes.push(...impliedProblems.websocket)
  return [...new Set(codes)]
}
