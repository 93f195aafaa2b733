// Known bugs of synchronization elsewhere, injected through the engine's ports: a simulation that misses one is useless.

import type { EnginePorts } from '../../../src/sync/engine.ts'
import { arrivalOf } from '../../../src/sync/entity/arrival.ts'
import type { Answer } from '../../../src/sync/transport/cloud.ts'
import type { InjectedBug } from './test-device.ts'

export const bugs: Readonly<Record<string, InjectedBug>> = {
  'the cursor is saved before the rows': (ports) => ({
    ...ports,
    keepPage(store, rows, cursor) {
      store.transaction(cursor)
      store.applying(rows)
    },
  }),

  'the outbox is cleared on send': (ports) => ({
    ...ports,
    cloud: {
      ...ports.cloud,
      push(request) {
        for (const { entity_type, entity_id } of request.changes) {
          ports.store.sql.run`DELETE FROM outbox WHERE entity_type = ${entity_type} AND entity_id = ${entity_id}`
        }
        return ports.cloud.push(request)
      },
    },
  }),

  'what arrives last wins': (ports) => ({ ...ports, arrivalOf: () => 'take' }),

  'a tie goes to who holds it': (ports) => ({
    ...ports,
    arrivalOf(held, incoming, waits) {
      const tie = held?.updated_at === incoming.updated_at && held.version === incoming.version
      return tie ? 'keep' : arrivalOf(held, incoming, waits)
    },
  }),

  'an epoch change is taken for missed deletions': (ports) => ({ ...ports, cloud: forgetful(ports) }),
}

/** Reports a restored cloud as if only the cursor had expired. */
function forgetful({ cloud }: EnginePorts): EnginePorts['cloud'] {
  let known: string | undefined
  const expired = { kind: 'refused', status: 410, code: 'cursor_expired', detail: 'expired' } as const
  return {
    async push(request) {
      const answer = await cloud.push(request)
      return answer.kind === 'ok' ? { ...answer, body: { ...answer.body, epoch: 'one' } } : answer
    },
    async pull(query): Promise<Answer<never>> {
      const answer = await cloud.pull(query)
      if (answer.kind === 'refused' && answer.code === 'cursor_ahead') return expired
      if (answer.kind !== 'ok') return answer as Answer<never>
      const before = known
      known = answer.body.epoch
      if (before !== undefined && before !== known && query.cursor_ts !== undefined) return expired
      return { ...answer, body: { ...answer.body, epoch: 'one' } } as Answer<never>
    },
  }
}
