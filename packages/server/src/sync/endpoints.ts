import { routes } from '@tandem/contract/http/schema'
import type { FastifyReply } from 'fastify'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { Services } from '../services.ts'
import { pull } from './pull.ts'
import { type PushDevices, push } from './push.ts'

export function syncEndpoints({ config, database, hub, now }: Services, devices: PushDevices): Endpoint[] {
  const ports = { database, hub, now, devices, max_record_bytes: config.max_record_bytes }

  return [
    endpoint(routes.sync_push, async ({ caller, body, reply }) => sent(reply, await push(ports, caller.user_id, body))),
    endpoint(routes.sync_pull, async ({ caller, query, reply }) => sent(reply, await pull(ports, caller.user_id, query))),
  ]
}

/** Stored JSON is not parsed and written again. */
function sent(reply: FastifyReply, json: string | Buffer): 'sent' {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(json)
  return 'sent'
}
