// Everything that a device or the cloud stores, as texts that can be compared.
import { type Change, canonicalJson, type EntityType, entityTypes } from '@tandem/contract/sync'
import { openEntities } from '../../../src/sync/entity/entities.ts'
import { keyOf, type TestCloud } from './test-cloud.ts'
import type { TestDevice } from './test-device.ts'

/** What a user could see on a device: existing records, facts, and their projections. */
export function dumpDevice(device: TestDevice): Map<string, string> {
  const { sql } = device.store()
  const entities = openEntities(device.store())
  const picture = new Map<string, string>()
  for (const row of sql.all`SELECT entity_type, entity_id, version, updated_at, payload FROM records WHERE deleted = 0`) {
    const { entity_type, entity_id, payload, ...marks } = row as Record<string, string>
    const value = entity_type === 'todos' ? { payload: JSON.parse(payload ?? '') } : { ...marks, payload: JSON.parse(payload ?? '') }
    picture.set(`${entity_type} ${entity_id}`, canonicalJson(value))
  }
  const add = (type: EntityType, id: unknown, run: number | null, seq: number | null) =>
    picture.set(`${type} ${id}`, canonicalJson({ payload: entities.payload(type, String(id), { run, seq }) }))
  for (const { message_id } of sql.all`SELECT message_id FROM messages`) add('messages', message_id, null, null)
  for (const { step_id, run, seq } of sql.all`SELECT step_id, run, seq FROM agent_run_steps`)
    add('agent_run_steps', step_id, Number(run), Number(seq))
  for (const { call_id, run, call_seq } of sql.all`SELECT call_id, run, call_seq FROM tool_calls`)
    add('tool_calls', call_id, Number(run), Number(call_seq))
  for (const { event_id } of sql.all`SELECT event_id FROM workflow_run_events`) add('workflow_run_events', event_id, null, null)
  for (const { entity_type, entity_id, reason } of sql.all`SELECT entity_type, entity_id, reason FROM sync_unread`) {
    picture.set(`${entity_type} ${entity_id}`, `unread: ${reason}`)
  }
  for (const row of sql.all`
    SELECT run_id, device_id, title, state, pause_reason, model, next_seq, turns, input_tokens, started_at, updated_at, ended_at FROM runs`) {
    picture.set(`run ${row.run_id}`, canonicalJson({ ...row }))
  }
  for (const row of sql.all`SELECT conversation_id, agent_id, title, hidden FROM conversations c WHERE EXISTS (SELECT 1 FROM messages m WHERE m.conversation = c.no)`) {
    picture.set(`conversation ${row.conversation_id}`, canonicalJson({ ...row }))
  }
  return picture
}

export function dumpCloud(cloud: TestCloud): Map<string, string> {
  const picture = new Map<string, string>()
  for (const { change } of cloud.rows().values()) if (change.op === 'upsert') picture.set(keyOf(change), shown(change))
  return picture
}

function shown({ entity_type, version, updated_at, payload }: Change): string {
  return canonicalJson(
    entityTypes[entity_type] === 'last_write_wins' ? { version, updated_at: Date.parse(updated_at), payload } : { payload },
  )
}

export function differenceOf(
  left: ReadonlyMap<string, string>,
  right: ReadonlyMap<string, string>,
  ignored: readonly string[] = [],
): string | null {
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    if (ignored.some((prefix) => key.startsWith(prefix)) || left.get(key) === right.get(key)) continue
    return `${key}: ${left.get(key)} and ${right.get(key)}`
  }
  return null
}
