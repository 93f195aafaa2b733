// The memories of this device. Every version of a memory is kept until the user forgets it.
import { type Memory, type MemoryStateReason, type MemoryTrigger, memoryExpiry, memoryTransitions } from '@tandem/contract/memory'
import { transition } from '@tandem/contract/transition'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'
import type { MemoryTerms } from './terms.ts'

/** What is not given is empty, active and new. */
export type NewMemory = Pick<
  Memory,
  'agent_id' | 'conversation_id' | 'memory_kind' | 'subject' | 'content' | 'source_type' | 'authority' | 'confidence'
> &
  Partial<Memory> & {
    /** Writing with the same key again returns the memory that was written first. */
    readonly origin_key: string | null
    /** Words that end an earlier memory. */
    readonly revokes?: readonly string[] | null
  }

/** The fields that an edit may change. */
export type MemoryEdit = Partial<Omit<Memory, 'id' | 'version' | 'created_at' | 'updated_at' | 'state' | 'use_count' | 'last_used_at'>>

export interface MemoryFilter {
  /** Memories of this agent, and shared ones. All when absent. */
  readonly agent_id?: string
  readonly conversation_id?: string
  readonly memory_kinds?: readonly Memory['memory_kind'][]
  readonly states?: readonly Memory['state'][]
  readonly subject?: string
  readonly words?: readonly string[]
  readonly authority?: Memory['authority']
  readonly has_conflict?: boolean
  readonly confirmed?: boolean
  readonly expires_before?: string
}

export interface Memories {
  get(id: string): Memory | undefined
  /** By id; ids that do not exist are left out. */
  all(ids: readonly string[]): readonly Memory[]
  /** Only their texts. */
  contents(ids: readonly string[]): readonly Pick<Memory, 'id' | 'content'>[]
  /** Newest first. */
  page(filter: MemoryFilter, before: Cursor | null, limit: number): readonly Memory[]
  /** What was learned in this conversation and is active, newest first; with null, what this agent may use that was learned in none. */
  learnedIn(conversation_id: string | null, agent_id: string, before: Cursor | null, limit: number): readonly Memory[]
  /** What the user said about this subject and is active, as far as this agent may use it, newest first. */
  said(subject: string, agent_id: string, before: Cursor | null, limit: number): readonly Memory[]
  /** All memories of one subject and owner, in every state; or only those that fill a slot. The oldest first. */
  ofSubject(subject: string, agent_id: string | null, slot?: string): readonly Memory[]
  /** Subjects that have memories of this agent, or shared ones with null. */
  subjects(agent_id: string | null): readonly string[]
  revokes(ids: readonly string[]): ReadonlyMap<string, readonly string[]>
  /** The memories of a subject and owner whose words end earlier ones, created at this time or later, with these words. */
  revoking(subject: string, agent_id: string | null, since: string): ReadonlyMap<string, readonly string[]>
  versions(id: string): readonly Memory[]
  /** An earlier version from an export. False if it is known. */
  addVersion(memory: Memory): boolean
  add(memory: NewMemory): Memory
  /** Whether a memory was written with this key. */
  hasOrigin(origin_key: string): boolean
  edit(id: string, edit: MemoryEdit): Memory
  /** Along the transition table; null if it does not allow it. */
  move(id: string, trigger: MemoryTrigger, reason: MemoryStateReason | null): Memory | null
  /** Used in a prompt or a result. */
  used(ids: readonly string[], expiryOf: (memory: Memory) => string | null): void
  /** Active ones whose time has passed, the earliest first. */
  due(now: string, limit: number): readonly Memory[]
  /** Others that conflict with one of them or supersede one. */
  referringTo(ids: readonly string[]): readonly Memory[]
  /** Active memories that apply only in one of these conversations. */
  onlyIn(conversation_ids: readonly string[]): readonly Memory[]
  /** The ids of messages that memories quote which apply only in one of these conversations. */
  quotedOnlyIn(conversation_ids: readonly string[]): ReadonlySet<string>
  /** The ids of memories that have one of these texts, now or in an earlier version. */
  stating(contents: readonly string[]): readonly string[]
  /** Removes every trace of them in these tables. */
  erase(ids: readonly string[]): void
  ids(after: string | null, limit: number): readonly string[]
  count(): number
  counts(expires_before: string): MemoryCounts
}

export interface MemoryCounts {
  active: number
  superseded: number
  archived: number
  to_review: number
  conflicts: number
  expiring_soon: number
}

export interface Cursor {
  readonly created_at: string
  readonly id: string
}

type MemoryRow = { [Field in keyof Memory]: Memory[Field] extends string | null ? Memory[Field] : unknown } & {
  readonly revokes: string | null
  readonly origin_key: string | null
}

/** Greater than every id and time. */
const afterAll: Cursor = { created_at: '~', id: '~' }

/** `changed` is called in the transaction of every write that changes what is found. */
export function openMemories(
  { sql, transaction, newId, clock }: Pick<Store, 'sql' | 'transaction' | 'newId' | 'clock'>,
  terms: MemoryTerms,
  changed: (ids: readonly string[]) => void,
): Memories {
  const now = () => timestamp(clock.now())
  const get = (id: string) => {
    const row = sql.get<MemoryRow>`SELECT * FROM memories WHERE id = ${id}`
    return row && toMemory(row)
  }
  const known = (id: string): Memory => {
    const memory = get(id)
    if (!memory) throw new Error(`there is no memory ${id}`)
    return memory
  }

  function byIds(ids: readonly string[]): readonly Memory[] {
    if (ids.length === 0) return []
    const rows = sql.all<MemoryRow>`SELECT * FROM memories WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    const byId = new Map(rows.map((row) => [row.id, toMemory(row)]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  function write(memory: Memory): void {
    sql.run`
      UPDATE memories SET agent_id = ${memory.agent_id}, conversation_id = ${memory.conversation_id},
        only_in_conversation = ${memory.only_in_conversation ? 1 : 0}, memory_kind = ${memory.memory_kind}, subject = ${memory.subject},
        slot = ${memory.slot}, content = ${memory.content}, quotes = ${JSON.stringify(memory.quotes)},
        procedure = ${memory.procedure === null ? null : JSON.stringify(memory.procedure)}, state = ${memory.state},
        state_reason = ${memory.state_reason}, confidence = ${memory.confidence}, source_type = ${memory.source_type},
        source_run_id = ${memory.source_run_id}, authority = ${memory.authority}, confirmed_by_user = ${memory.confirmed_by_user ? 1 : 0},
        expires_at = ${memory.expires_at}, conflicts_with = ${JSON.stringify(memory.conflicts_with)},
        supersedes = ${JSON.stringify(memory.supersedes)}, tags = ${JSON.stringify(memory.tags)}, updated_at = ${memory.updated_at},
        version = ${memory.version}
      WHERE id = ${memory.id}`
  }

  /** Keeps the version before, writes the next. */
  function change(before: Memory, after: Partial<Memory>): Memory {
    return transaction(() => {
      sql.run`INSERT INTO memory_versions (memory_id, version, record) VALUES (${before.id}, ${before.version}, ${JSON.stringify(before)})`
      const memory: Memory = { ...before, ...after, updated_at: now(), version: before.version + 1 }
      write(memory)
      terms.change(before, memory)
      changed([memory.id])
      return memory
    })
  }

  return {
    get,
    all: byIds,
    contents: (ids) => sql.all`SELECT id, content FROM memories WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
    page(filter, before, limit) {
      const {
        agent_id = null,
        conversation_id = null,
        memory_kinds,
        states,
        subject = null,
        authority = null,
        expires_before = null,
      } = filter
      const [first = '%', second = '%', third = '%', fourth = '%'] = (filter.words ?? []).map(pattern)
      const conflict = filter.has_conflict === undefined ? null : filter.has_conflict ? 1 : 0
      const confirmed = filter.confirmed === undefined ? null : filter.confirmed ? 1 : 0
      const rows = sql.all<MemoryRow>`
        SELECT * FROM memories
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id} OR agent_id IS NULL)
          AND (${conversation_id} IS NULL OR conversation_id = ${conversation_id})
          AND (${json(memory_kinds)} IS NULL OR memory_kind IN (SELECT value FROM json_each(${json(memory_kinds)})))
          AND (${json(states)} IS NULL OR state IN (SELECT value FROM json_each(${json(states)})))
          AND (${subject} IS NULL OR subject = ${subject})
          AND (${authority} IS NULL OR authority = ${authority})
          AND (${confirmed} IS NULL OR confirmed_by_user = ${confirmed})
          AND (${conflict} IS NULL OR (conflicts_with <> '[]') = ${conflict})
          AND (${expires_before} IS NULL OR (expires_at IS NOT NULL AND expires_at < ${expires_before}))
          AND content LIKE ${first} ESCAPE '\\' AND content LIKE ${second} ESCAPE '\\'
          AND content LIKE ${third} ESCAPE '\\' AND content LIKE ${fourth} ESCAPE '\\'
          AND (${before?.created_at ?? null} IS NULL OR (created_at, id) < (${before?.created_at ?? null}, ${before?.id ?? null}))
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`
      return rows.map(toMemory)
    },
    learnedIn(conversation_id, agent_id, before, limit) {
      const { created_at, id } = before ?? afterAll
      const rows =
        conversation_id === null
          ? sql.all<MemoryRow>`
              SELECT * FROM memories WHERE conversation_id IS NULL AND (created_at, id) < (${created_at}, ${id})
                AND state = 'active' AND (agent_id = ${agent_id} OR agent_id IS NULL)
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`
          : sql.all<MemoryRow>`
              SELECT * FROM memories WHERE conversation_id = ${conversation_id} AND (created_at, id) < (${created_at}, ${id})
                AND state = 'active'
              ORDER BY created_at DESC, id DESC LIMIT ${limit}`
      return rows.map(toMemory)
    },
    said(subject, agent_id, before, limit) {
      const { created_at, id } = before ?? afterAll
      return sql.all<MemoryRow>`
        SELECT * FROM memories WHERE subject = ${subject} AND (created_at, id) < (${created_at}, ${id})
          AND state = 'active' AND authority = 'person' AND (agent_id = ${agent_id} OR agent_id IS NULL)
        ORDER BY created_at DESC, id DESC LIMIT ${limit}`.map(toMemory)
    },
    ofSubject: (subject, agent_id, slot) =>
      (slot === undefined
        ? sql.all<MemoryRow>`SELECT * FROM memories WHERE subject = ${subject} AND agent_id IS ${agent_id} ORDER BY created_at, id`
        : sql.all<MemoryRow>`
            SELECT * FROM memories WHERE subject = ${subject} AND agent_id IS ${agent_id} AND slot = ${slot} ORDER BY created_at, id`
      ).map(toMemory),
    subjects: (agent_id) =>
      sql.all<{ subject: string }>`SELECT DISTINCT subject FROM memories WHERE agent_id IS ${agent_id}`.map(({ subject }) => subject),
    revokes: (ids) =>
      revokingWords(
        sql.all`SELECT id, revokes FROM memories WHERE revokes IS NOT NULL AND id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      ),
    revoking: (subject, agent_id, since) =>
      revokingWords(
        sql.all`
          SELECT id, revokes FROM memories
          WHERE revokes IS NOT NULL AND subject = ${subject} AND agent_id IS ${agent_id} AND created_at >= ${since}`,
      ),
    versions: (id) =>
      sql.all<{ record: string }>`SELECT record FROM memory_versions WHERE memory_id = ${id} ORDER BY version`.map(({ record }) =>
        JSON.parse(record),
      ),
    addVersion(memory) {
      const { changes } = sql.run`
        INSERT OR IGNORE INTO memory_versions (memory_id, version, record) VALUES (${memory.id}, ${memory.version}, ${JSON.stringify(memory)})`
      return changes > 0
    },
    add({ origin_key, revokes = null, ...given }) {
      return transaction(() => {
        const same = origin_key === null ? undefined : sql.get<MemoryRow>`SELECT * FROM memories WHERE origin_key = ${origin_key}`
        if (same) return toMemory(same)
        const created_at = given.created_at ?? now()
        const memory: Memory = {
          id: newId(),
          version: 1,
          only_in_conversation: false,
          slot: null,
          quotes: [],
          procedure: null,
          state: 'active',
          state_reason: null,
          source_run_id: null,
          confirmed_by_user: false,
          expires_at: memoryExpiry(given.memory_kind, created_at),
          conflicts_with: [],
          supersedes: [],
          last_used_at: null,
          use_count: 0,
          tags: [],
          ...given,
          created_at,
          updated_at: given.updated_at ?? created_at,
        }
        sql.run`
          INSERT INTO memories (id, agent_id, conversation_id, only_in_conversation, memory_kind, subject, slot, content, quotes, procedure,
            revokes, state, state_reason, confidence, source_type, source_run_id, authority, confirmed_by_user, expires_at, conflicts_with,
            supersedes, last_used_at, use_count, tags, created_at, updated_at, version, origin_key)
          VALUES (${memory.id}, ${memory.agent_id}, ${memory.conversation_id}, ${memory.only_in_conversation ? 1 : 0}, ${memory.memory_kind},
            ${memory.subject}, ${memory.slot}, ${memory.content}, ${JSON.stringify(memory.quotes)},
            ${memory.procedure === null ? null : JSON.stringify(memory.procedure)}, ${revokes === null ? null : JSON.stringify(revokes)},
            ${memory.state}, ${memory.state_reason}, ${memory.confidence}, ${memory.source_type}, ${memory.source_run_id}, ${memory.authority},
            ${memory.confirmed_by_user ? 1 : 0}, ${memory.expires_at}, ${JSON.stringify(memory.conflicts_with)},
            ${JSON.stringify(memory.supersedes)}, ${memory.last_used_at}, ${memory.use_count}, ${JSON.stringify(memory.tags)},
            ${memory.created_at}, ${memory.updated_at}, ${memory.version}, ${origin_key})`
        terms.add(memory)
        changed([memory.id])
        return memory
      })
    },
    hasOrigin: (origin_key) => sql.get`SELECT 1 FROM memories WHERE origin_key = ${origin_key}` !== undefined,
    edit: (id, edit) => change(known(id), edit),
    move(id, trigger, reason) {
      const memory = known(id)
      const moved = transition(memoryTransitions, memory.state, trigger)
      return moved.ok ? change(memory, { state: moved.state, state_reason: reason }) : null
    },
    used(ids, expiryOf) {
      transaction(() => {
        for (const id of ids) {
          const memory = get(id)
          if (!memory) continue
          const last_used_at = now()
          const expires_at = expiryOf({ ...memory, last_used_at })
          sql.run`
            UPDATE memories SET last_used_at = ${last_used_at}, use_count = use_count + 1, expires_at = ${expires_at} WHERE id = ${id}`
        }
      })
    },
    due: (until, limit) =>
      sql.all<MemoryRow>`
        SELECT * FROM memories WHERE state <> 'archived' AND state = 'active' AND expires_at IS NOT NULL AND expires_at <= ${until}
        ORDER BY expires_at LIMIT ${limit}`.map(toMemory),
    referringTo(ids) {
      const list = JSON.stringify(ids)
      return sql.all<MemoryRow>`
        SELECT * FROM memories
        WHERE id NOT IN (SELECT value FROM json_each(${list})) AND (conflicts_with <> '[]' OR supersedes <> '[]')
          AND EXISTS (
            SELECT 1 FROM (SELECT value FROM json_each(conflicts_with) UNION ALL SELECT value FROM json_each(supersedes)) AS other
            WHERE other.value IN (SELECT value FROM json_each(${list})))`.map(toMemory)
    },
    quotedOnlyIn: (conversation_ids) =>
      new Set(
        sql.all<{ message_id: string }>`
          SELECT DISTINCT quote.value ->> 'message_id' AS message_id FROM memories, json_each(quotes) AS quote
          WHERE conversation_id IN (SELECT value FROM json_each(${JSON.stringify(conversation_ids)}))
            AND only_in_conversation = 1`.map(({ message_id }) => message_id),
      ),
    onlyIn: (conversation_ids) =>
      sql.all<MemoryRow>`
        SELECT * FROM memories WHERE conversation_id IN (SELECT value FROM json_each(${JSON.stringify(conversation_ids)}))
          AND only_in_conversation = 1 AND state = 'active'`.map(toMemory),
    stating: (contents) =>
      sql.all<{ id: string }>`
        WITH texts AS (SELECT lower(trim(value)) AS text FROM json_each(${JSON.stringify(contents)}))
        SELECT id FROM memories WHERE lower(content) IN (SELECT text FROM texts)
        UNION SELECT memory_id FROM memory_versions WHERE lower(record ->> 'content') IN (SELECT text FROM texts)
        ORDER BY id`.map(({ id }) => id),
    erase(ids) {
      const list = JSON.stringify(ids)
      transaction(() => {
        changed(ids)
        terms.remove(byIds(ids))
        sql.run`DELETE FROM memories WHERE id IN (SELECT value FROM json_each(${list}))`
      })
    },
    ids: (after, limit) =>
      sql.all<{ id: string }>`SELECT id FROM memories WHERE id > ${after ?? ''} ORDER BY id LIMIT ${limit}`.map(({ id }) => id),
    count: () => sql.get<{ count: number }>`SELECT count(*) AS count FROM memories`?.count ?? 0,
    counts: (expires_before) =>
      sql.get<MemoryCounts>`
        SELECT count(*) FILTER (WHERE state = 'active') AS active, count(*) FILTER (WHERE state = 'superseded') AS superseded,
          count(*) FILTER (WHERE state = 'archived') AS archived,
          count(*) FILTER (WHERE state = 'active' AND authority = 'untrusted' AND confirmed_by_user = 0) AS to_review,
          count(*) FILTER (WHERE state = 'active' AND conflicts_with <> '[]') AS conflicts,
          count(*) FILTER (WHERE state = 'active' AND expires_at < ${expires_before}) AS expiring_soon
        FROM memories` ?? { active: 0, superseded: 0, archived: 0, to_review: 0, conflicts: 0, expiring_soon: 0 },
  }
}

function toMemory({ revokes: _revokes, origin_key: _key, ...row }: MemoryRow): Memory {
  // Most lists are empty, and thousands of rows are read at once.
  const list = (text: unknown) => (text === '[]' ? [] : JSON.parse(text as string))
  return {
    ...(row as unknown as Memory),
    only_in_conversation: row.only_in_conversation === 1,
    confirmed_by_user: row.confirmed_by_user === 1,
    quotes: list(row.quotes),
    procedure: row.procedure === null ? null : list(row.procedure),
    conflicts_with: list(row.conflicts_with),
    supersedes: list(row.supersedes),
    tags: list(row.tags),
  }
}

function revokingWords(rows: readonly Record<string, unknown>[]): ReadonlyMap<string, readonly string[]> {
  return new Map(rows.map(({ id, revokes }) => [String(id), JSON.parse(String(revokes)) as readonly string[]]))
}

const json = (list: readonly string[] | undefined) => (list === undefined || list.length === 0 ? null : JSON.stringify(list))

/** For LIKE with an escape character. */
const pattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`
