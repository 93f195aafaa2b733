// The user's corrections, each with the memory that contains it.
import type { UserCorrection } from '@tandem/contract/memory'
import { timestamp } from '../../clock/clock.ts'
import type { Store } from '../../store/store.ts'

export interface Corrections {
  /** One of an export has its id and its time. */
  add(correction: Omit<UserCorrection, 'id' | 'created_at'> & Partial<UserCorrection>): UserCorrection
  has(id: string): boolean
  /** Newest first. */
  page(agent_id: string | null, before: string | null, limit: number): readonly UserCorrection[]
  /** Whether the user corrected something that this run did or said. */
  isCorrected(run: { readonly no: number; readonly run_id: string }): boolean
  eraseOf(memory_ids: readonly string[]): void
}

export function openCorrections({ sql, newId, clock }: Pick<Store, 'sql' | 'newId' | 'clock'>): Corrections {
  return {
    add(given) {
      const correction: UserCorrection = { id: newId(), created_at: timestamp(clock.now()), ...given }
      sql.run`
        INSERT INTO runtime_user_corrections
          (id, agent_id, conversation_id, run_id, message_id, corrected_memory_id, wrong, right, memory_id, created_at)
        VALUES (${correction.id}, ${correction.agent_id}, ${correction.conversation_id}, ${correction.run_id}, ${correction.message_id},
          ${correction.corrected_memory_id}, ${correction.wrong}, ${correction.right}, ${correction.memory_id}, ${correction.created_at})`
      return correction
    },
    has: (id) => sql.get`SELECT 1 FROM runtime_user_corrections WHERE id = ${id}` !== undefined,
    page: (agent_id, before, limit) =>
      sql.all<UserCorrection>`
        SELECT * FROM runtime_user_corrections
        WHERE (${agent_id} IS NULL OR agent_id = ${agent_id}) AND (${before} IS NULL OR id < ${before})
        ORDER BY id DESC LIMIT ${limit}`,
    isCorrected: ({ no, run_id }) =>
      sql.get`
        SELECT 1 FROM runtime_user_corrections c LEFT JOIN messages m ON m.message_id = c.message_id
        WHERE c.run_id = ${run_id} OR m.run = ${no} LIMIT 1` !== undefined,
    eraseOf(memory_ids) {
      const list = JSON.stringify(memory_ids)
      sql.run`
        DELETE FROM runtime_user_corrections
        WHERE memory_id IN (SELECT value FROM json_each(${list})) OR corrected_memory_id IN (SELECT value FROM json_each(${list}))`
    },
  }
}
