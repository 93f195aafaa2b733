// The synchronized entities that change: agents, policies, bindings, MCP servers, todos. Triggers write their outbox rows. Their paths are
// stored with a marker in place of the home folder, and read as paths of this device.
import { type EntityPayload, withUnknownFields } from '@tandem/contract/entity'
import { markPath, type RewritePath, unmarkPath } from '@tandem/contract/marked-path'
import type { Store } from './store.ts'
import type { RecordType } from './synchronized.ts'

export interface StoredRecord<Type extends RecordType> {
  readonly entity_id: string
  readonly version: number
  readonly updated_at: number
  readonly payload: EntityPayload<Type>
}

export interface Records {
  get<Type extends RecordType>(type: Type, entity_id: string): StoredRecord<Type> | undefined
  /** Those whose id starts with `beginning`, ordered by id. */
  list<Type extends RecordType>(type: Type, beginning?: string): readonly StoredRecord<Type>[]
  put<Type extends RecordType>(type: Type, entity_id: string, payload: EntityPayload<Type>): StoredRecord<Type>
  /** Writes a tombstone, so that the deletion is synchronized. False if there was nothing. */
  remove(type: RecordType, entity_id: string): boolean
}

interface RecordRow {
  readonly entity_id: string
  readonly version: number
  readonly updated_at: number
  readonly deleted: 0 | 1
  readonly payload: string
  /** Fields of a newer version, which writes of this device preserve. */
  readonly unknown: string | null
}

export function openRecords(store: Store): Records {
  const { sql, user_homes: homes } = store
  // Every step of a run reads its agent, its policies and its todos.
  const one = store.kept<StoredRecord<RecordType> | undefined>('records')
  const lists = store.kept<readonly StoredRecord<RecordType>[]>('records')

  function toRecord<Type extends RecordType>(type: Type, { entity_id, version, updated_at, payload }: RecordRow): StoredRecord<Type> {
    return { entity_id, version, updated_at, payload: unmarkRecord(type, JSON.parse(payload), homes) }
  }

  function stored(type: RecordType, entity_id: string): RecordRow | undefined {
    return sql.get<RecordRow>`SELECT * FROM records WHERE entity_type = ${type} AND entity_id = ${entity_id}`
  }

  function write(type: RecordType, row: Omit<RecordRow, 'unknown'>): void {
    const { entity_id, version, updated_at, deleted, payload } = row
    sql.run`
      INSERT INTO records (entity_type, entity_id, version, updated_at, source_ts, device_id, deleted, payload)
      VALUES (${type}, ${entity_id}, ${version}, ${updated_at}, ${store.clock.now()}, ${store.device_id}, ${deleted}, ${payload})
      ON CONFLICT (entity_type, entity_id) DO UPDATE SET version = excluded.version, updated_at = excluded.updated_at,
        source_ts = excluded.source_ts, device_id = excluded.device_id, deleted = excluded.deleted, payload = excluded.payload,
        unknown = iif(excluded.deleted, NULL, records.unknown)`
  }

  return {
    get<Type extends RecordType>(type: Type, entity_id: string) {
      const found = one.get(`${type} ${entity_id}`, () => {
        const row = stored(type, entity_id)
        return row && row.deleted === 0 ? toRecord(type, row) : undefined
      })
      return found as StoredRecord<Type> | undefined
    },
    list<Type extends RecordType>(type: Type, beginning = '') {
      const found = lists.get(`${type} ${beginning}`, () => {
        const rows = sql.all<RecordRow>`
          SELECT * FROM records WHERE entity_type = ${type} AND entity_id >= ${beginning} AND entity_id < ${`${beginning}\u{10ffff}`}
            AND deleted = 0 ORDER BY entity_id`
        return rows.map((row) => toRecord(type, row))
      })
      return found as readonly StoredRecord<Type>[]
    },
    put(type, entity_id, payload) {
      return store.transaction(() => {
        const before = stored(type, entity_id)
        const version = (before?.version ?? 0) + 1
        const updated_at = store.stamps.next()
        const unknown = before?.deleted === 0 && before.unknown !== null ? JSON.parse(before.unknown) : null
        const whole = withUnknownFields(markRecord(type, payload, homes), unknown)
        write(type, { entity_id, version, updated_at, deleted: 0, payload: JSON.stringify(whole) })
        return { entity_id, version, updated_at, payload }
      })
    },
    remove(type, entity_id) {
      return store.transaction(() => {
        const row = stored(type, entity_id)
        if (!row || row.deleted === 1) return false
        write(type, { entity_id, version: row.version + 1, updated_at: store.stamps.next(), deleted: 1, payload: '{}' })
        return true
      })
    },
  }
}

/**
 * The fields of a record that are paths. A record belongs to no workspace, so its only marker is that of the home folder. Arguments of a
 * server and patterns of a scope are not paths: they are synchronized unchanged.
 */
const pathFields: Readonly<Record<RecordType, readonly (readonly string[])[]>> = {
  agents: [],
  agent_tool_policies: [['policy', 'fs_scope', 'roots']],
  agent_skill_bindings: [],
  mcp_servers: [['command'], ['working_directory']],
  todos: [],
}

export function markRecord<Payload>(type: RecordType, payload: Payload, homes: readonly string[]): Payload {
  return rewritten(type, payload, (path) => markPath(path, { workspace: '', homes }))
}

export function unmarkRecord<Payload>(type: RecordType, payload: Payload, homes: readonly string[]): Payload {
  return rewritten(type, payload, (path) => unmarkPath(path, { workspace: '', homes }))
}

function rewritten<Payload>(type: RecordType, payload: Payload, rewrite: RewritePath): Payload {
  return pathFields[type].reduce((before, names) => rewrittenAt(before, names, rewrite) as Payload, payload)
}

/** A value that is missing or not a path stays unchanged: another program may have written the record incorrectly. */
function rewrittenAt(value: unknown, [name, ...rest]: readonly string[], rewrite: RewritePath): unknown {
  if (name === undefined) {
    if (Array.isArray(value)) return value.map((one) => rewrittenAt(one, [], rewrite))
    return typeof value === 'string' ? rewrite(value) : value
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return value
  return { ...value, [name]: rewrittenAt((value as Record<string, unknown>)[name], rest, rewrite) }
}
