// Memories that reflections and gaps propose. A person commits or dismisses each.
import { type MemoryWritebackCandidate, type MemoryWritebackState, memoryWritebackTransitions } from '@tandem/contract/learning'
import { transition } from '@tandem/contract/transition'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

type Candidate = MemoryWritebackCandidate

export interface Writebacks {
  add(
    candidate: Pick<
      Candidate,
      'run_id' | 'agent_id' | 'conversation_id' | 'reflection_id' | 'gap_analysis_id' | 'memory_kind' | 'content' | 'confidence'
    >,
  ): Candidate
  get(id: string): Candidate | undefined
  /** Whether the same was proposed to this agent before, whatever was decided. */
  isKnown(agent_id: string, content: string): boolean
  /** The same memory that was proposed to this agent and not dismissed. */
  find(agent_id: string, content: string): Candidate | undefined
  /** Proposed because of this gap, and not decided about. */
  pendingOf(gap_analysis_id: string): readonly Candidate[]
  /** Null if its state does not allow it. */
  move(id: string, trigger: 'commit' | 'dismiss', memory_id: string | null): Candidate | null
  /** Deletes what led to these memories, and what these runs proposed that states the same. */
  eraseOf(memory_ids: readonly string[], run_ids: readonly string[], isOf: (content: string) => boolean): void
  /** Newest first. */
  page(
    filter: { readonly agent_id?: string; readonly run_id?: string; readonly state?: MemoryWritebackState },
    before: string | null,
    limit: number,
  ): readonly Candidate[]
}

export function openWritebacks({ sql, newId, clock }: Pick<Store, 'sql' | 'newId' | 'clock'>): Writebacks {
  const get = (id: string) => sql.get<Candidate>`SELECT * FROM runtime_memory_writeback_candidates WHERE id = ${id}`
  return {
    get,
    add(candidate) {
      const now = timestamp(clock.now())
      const { initial: state } = memoryWritebackTransitions
      const stored: Candidate = { ...candidate, id: newId(), state, memory_id: null, created_at: now, updated_at: now }
      sql.run`
        INSERT INTO runtime_memory_writeback_candidates (id, run_id, agent_id, conversation_id, reflection_id, memory_kind, content, confidence,
          state, memory_id, created_at, updated_at, gap_analysis_id)
        VALUES (${stored.id}, ${stored.run_id}, ${stored.agent_id}, ${stored.conversation_id}, ${stored.reflection_id}, ${stored.memory_kind},
          ${stored.content}, ${stored.confidence}, ${state}, NULL, ${now}, ${now}, ${stored.gap_analysis_id})`
      return stored
    },
    isKnown: (agent_id, content) =>
      sql.get`
        SELECT 1 FROM runtime_memory_writeback_candidates WHERE agent_id = ${agent_id} AND content = ${content} LIMIT 1` !== undefined,
    find: (agent_id, content) =>
      sql.get<Candidate>`
        SELECT * FROM runtime_memory_writeback_candidates WHERE agent_id = ${agent_id} AND content = ${content} AND state <> 'dismissed'
        ORDER BY id DESC LIMIT 1`,
    pendingOf: (gap_analysis_id) =>
      sql.all<Candidate>`
        SELECT * FROM runtime_memory_writeback_candidates WHERE gap_analysis_id = ${gap_analysis_id} AND state = 'pending' ORDER BY id`,
    move(id, trigger, memory_id) {
      const before = get(id)
      const moved = before && transition(memoryWritebackTransitions, before.state, trigger)
      if (!moved?.ok) return null
      sql.run`
        UPDATE runtime_memory_writeback_candidates SET state = ${moved.state}, memory_id = ${memory_id}, updated_at = ${timestamp(clock.now())}
        WHERE id = ${id}`
      return get(id) ?? null
    },
    eraseOf(memory_ids, run_ids, isOf) {
      const gone = new Set(memory_ids)
      const rows = sql.all<Candidate>`
        SELECT * FROM runtime_memory_writeback_candidates
        WHERE memory_id IN (SELECT value FROM json_each(${JSON.stringify(memory_ids)}))
          OR run_id IN (SELECT value FROM json_each(${JSON.stringify(run_ids)}))`
      for (const { id, memory_id, content } of rows)
        if ((memory_id !== null && gone.has(memory_id)) || isOf(content))
          sql.run`DELETE FROM runtime_memory_writeback_candidates WHERE id = ${id}`
    },
    page: ({ agent_id = null, run_id = null, state = null }, before, limit) =>
      sql.all<Candidate>`
        SELECT * FROM runtime_memory_writeback_candidates
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${run_id} IS NULL OR run_id = ${run_id})
          AND (${state} IS NULL OR state = ${state}) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`,
  }
}
