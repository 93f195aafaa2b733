import { etagOf } from '@tandem/contract/http'
import { routes } from '@tandem/contract/http/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { openWorkflows } from './workflows.ts'

export function workflowEndpoints(services: Services): Endpoint[] {
  const workflows = openWorkflows(services)
  return [
    endpoint(routes.workflows_list, async ({ caller, query }) => ({ status: 200, body: await workflows.list(caller.user_id, query) })),

    endpoint(routes.workflows_create, async ({ caller, headers, body }) => {
      const reply = await workflows.create(caller.user_id, headers['idempotency-key'], body)
      return { ...reply, headers: { etag: etagOf(reply.body.version), location: `${routes.workflows_list.path}/${reply.body.id}` } }
    }),

    endpoint(routes.workflows_get, async ({ caller, params }) => {
      const workflow = await workflows.get(caller.user_id, params.id)
      return { status: 200, body: workflow, headers: { etag: etagOf(workflow.version) } }
    }),

    endpoint(routes.workflows_update, async ({ caller, params, headers, body }) => {
      const workflow = await workflows.replace(caller.user_id, params.id, headers['if-match'], body)
      return { status: 200, body: workflow, headers: { etag: etagOf(workflow.version) } }
    }),

    endpoint(routes.workflows_delete, async ({ caller, params, headers }) => {
      await workflows.delete(caller.user_id, params.id, headers['if-match'])
      return { status: 204, body: undefined }
    }),
  ]
}
