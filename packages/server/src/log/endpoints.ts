import { routes } from '@tandem/contract/http/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { openLogs } from './logs.ts'

export function logEndpoints(services: Services): Endpoint[] {
  const logs = openLogs(services)
  return [
    endpoint(routes.logs_report, ({ caller, headers, body }) => logs.report(caller.user_id, headers['idempotency-key'], body)),
    endpoint(routes.logs_list, async ({ caller, query }) => ({ status: 200, body: await logs.list(caller.user_id, query) })),
  ]
}
