import { Readable } from 'node:stream'
import { routes } from '@tandem/contract/http/schema'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { openFiles } from './files.ts'

export function fileEndpoints(services: Services): Endpoint[] {
  const files = openFiles(services)
  return [
    endpoint(routes.files_upload, async ({ caller, headers, request }) => {
      const reply = await files.upload(caller.user_id, headers['idempotency-key'], request)
      return { ...reply, headers: { location: `${routes.files_list.path}/${reply.body.id}` } }
    }),

    endpoint(routes.files_list, async ({ caller, query }) => ({ status: 200, body: await files.list(caller.user_id, query) })),

    endpoint(routes.files_get, async ({ caller, params, headers, request, reply }) => {
      const content = await files.open(caller.user_id, params.id, headers, request.method)
      reply.headers(content.headers)
      if (content.status === 416) throw refuse('range_not_satisfiable', `file ${params.id} does not contain the range ${headers.range}`)
      // Fastify would set the length of an absent body to 0; an empty stream keeps ours.
      reply.code(content.status).send(content.body ?? (request.method === 'HEAD' ? Readable.from([]) : undefined))
      return 'sent'
    }),

    endpoint(routes.files_delete, async ({ caller, params }) => {
      await files.delete(caller.user_id, params.id)
      return { status: 204, body: undefined }
    }),
  ]
}
