// After a restore: what was not read again counts as unread, and what rests only on undone calls of the agent is archived, so that what it
// had replaced is used again. If the restore is undone, those memories are used again.
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
    const rows = store.sql.all<{ id: string; origin_key: string }>`
      SELECT id, origin_key FROM memories WHERE source_run_id = ${run_id} AND authority <> 'person' AND origin_key LIKE 'call:%'`
    const changed = rows.flatMap(({ id, origin_key }) => {
      const memory = memories.get(id)
      const isUndone = !current.has(origin_key.slice(`call:${run_id}:`.length))
      if (!memory || memory.confirmed_by_user) return []
      if (isUndone && memory.state !== 'archived') return memories.move(id, 'archive', 'set_aside') ?? []
      if (!isUndone && memory.state === 'archived' && memory.state_reason === 'set_aside') return memories.move(id, 'reinstate', null) ?? []
      return []
    })
    cycle.apply(changed)
    learned([...changed, ...memories.all(changed.flatMap(({ supersedes }) => supersedes))], run.agent_id)
  })
}
