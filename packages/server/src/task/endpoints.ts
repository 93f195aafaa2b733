import { etagOf } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { openTasks } from './tasks.ts'

export function taskEndpoints(services: Services): Endpoint[] {
  const tasks = openTasks(services)
  return [
    endpoint(routes.tasks_create, async ({ caller, headers, body }) => {
      const reply = await tasks.create(caller.user_id, headers['idempotency-key'], body)
      return { ...reply, headers: { etag: etagOf(reply.body.version), location: `${routes.tasks_list.path}/${reply.body.id}` } }
    }),

    endpoint(routes.tasks_list, async ({ caller, query }) => ({ status: 200, body: await tasks.list(caller.user_id, query) })),

    endpoint(routes.tasks_get, async ({ caller, params }) => {
      const task = await tasks.get(caller.user_id, params.id)
      return { status: 200, body: task, headers: { etag: etagOf(task.version) } }
    }),

    endpoint(routes.tasks_update_status, async ({ caller, params, headers, body }) => {
      const task = await tasks.updateStatus(caller.user_id, params.id, headers['if-match'], body)
      return { status: 200, body: task, headers: { etag: etagOf(task.version) } }
    }),
  ]
}
