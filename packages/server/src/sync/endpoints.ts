import { routes } from '@tandem/contract/http/schema'
import type { FastifyReply } from 'fastify'
import { noteDevice } from '../device/store.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { pull } from './pull.ts'
import { push } from './push.ts'

export function syncEndpoints(services: Services): Endpoint[] {
  const { config, database, hub, now } = services
  const ports = { database, hub, now, noteDevice, max_record_bytes: config.max_record_bytes }

  return [
    endpoint(routes.sync_push, async ({ caller, body, reply }) => sent(reply, await push(ports, caller.user_id, body))),
    endpoint(routes.sync_pull, async ({ caller, query, reply }) => sent(reply, await pull(ports, caller.user_id, query))),
  ]
}

/** What is JSON already is not read and written again. */
function sent(reply: FastifyReply, json: string | Buffer): 'sent' {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(json)
  return 'sent'
}
