// After a restore: what was not read again counts as unread, and what rests only on undone calls of the agent, or only on messages that were
// set aside, is archived unless the user said it, so that what it had replaced is used again. If the restore is undone, those memories are
// used again.
import type { Memory } from '@tandem/contract/memory'
import { currentSteps } from '../journal/current-steps.ts'
import type { Journal } from '../journal/journal.ts'
import type { Store } from '../store/store.ts'
import type { FlushMarks } from './record/flush-marks.ts'
import type { Memories } from './record/memories.ts'
import type { ResolutionCycle } from './resolution-cycle.ts'

export interface AfterRestorePorts {
  readonly store: Pick<Store, 'sql' | 'transaction'>
  readonly journal: Journal
  readonly memories: Memories
  readonly marks: FlushMarks
  readonly cycle: Pick<ResolutionCycle, 'apply'>
  learned(memories: readonly Memory[], agent_id: string): void
}

/** Doing it again changes nothing. */
export function afterRestore(ports: AfterRestorePorts, run_id: string, cursor_seq: number): void {
  const { store, journal, memories, marks, cycle, learned } = ports
  const run = journal.run(run_id)
  if (!run) return
  store.transaction(() => {
    marks.moveBack(run.no, cursor_seq)
    const current = new Set(currentSteps(journal.steps(run_id)).flatMap(({ step }) => (step.kind === 'tool.call' ? [step.call_id] : [])))
    const ofCalls = store.sql.all<{ id: string; origin_key: string }>`
      SELECT id, origin_key FROM memories WHERE source_run_id = ${run_id} AND authority <> 'person' AND origin_key LIKE 'call:%'`
    const ofMessages = store.sql.all<{ id: string; is_undone: number }>`
      SELECT id, NOT EXISTS (
        SELECT 1 FROM json_each(quotes) AS quote LEFT JOIN messages ON message_id = quote.value ->> 'message_id'
        WHERE set_aside IS NOT 1) AS is_undone
      FROM memories
      WHERE conversation_id = ${run.conversation_id} AND authority <> 'person' AND quotes <> '[]'
        AND (origin_key IS NULL OR origin_key NOT LIKE 'call:%')`
    const judged = [
      ...ofCalls.map(({ id, origin_key }) => ({ id, isUndone: !current.has(origin_key.slice(`call:${run_id}:`.length)) })),
      ...ofMessages.map(({ id, is_undone }) => ({ id, isUndone: is_undone === 1 })),
    ]
    const changed = judged.flatMap(({ id, isUndone }) => {
      const memory = memories.get(id)
      if (!memory || memory.confirmed_by_user) return []
      if (isUndone && memory.state !== 'archived') return memories.move(id, 'archive', 'set_aside') ?? []
      if (!isUndone && memory.state === 'archived' && memory.state_reason === 'set_aside') return memories.move(id, 'reinstate', null) ?? []
      return []
    })
    cycle.apply(changed)
    learned([...changed, ...memories.all(changed.flatMap(({ supersedes }) => supersedes))], run.agent_id)
  })
}
