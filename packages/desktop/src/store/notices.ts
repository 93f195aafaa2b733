// What a user who looks elsewhere should hear: that a run needs an answer, that it has ended, or that only the user can let it continue. Pure.
import type { LocalRun } from '@tandem/contract/command'
import type { RunState } from '@tandem/contract/run'
import { pendingItems, placeOfRun } from './pending.ts'
import type { WindowState } from './window-state.ts'

type Known = Pick<WindowState, 'approvals' | 'questions' | 'runs' | 'teams'>

export interface Notice {
  /** The same for the same news: two windows show it once. */
  readonly key: string
  readonly kind: 'waits' | 'completed' | 'failed' | 'stopped'
  readonly conversation_id: string
}

const ends: Partial<Record<RunState, Notice['kind']>> = { completed: 'completed', failed: 'failed' }

/** A spent budget, and a model that is not asked again by itself. */
function needsUser({ state, pause_reason, retry_at }: LocalRun): boolean {
  return state === 'paused' && (pause_reason === 'budget' || (pause_reason === 'model' && retry_at === null))
}

/** Marked until its conversation is opened. Requests are listed in a place of their own. */
export function isMarked({ kind }: Notice): boolean {
  return kind !== 'waits'
}

/** Runs that were not known before are not news, nor is a run that the user stopped. A member of a team ends as part of its team. */
export function noticesBetween(before: Known, after: Known): readonly Notice[] {
  const known = new Set(pendingItems(before).map(({ id }) => id))
  const waits = pendingItems(after).flatMap(({ id, run_id }): Notice[] => {
    const conversation_id = placeOfRun(after, run_id)
    return known.has(id) || conversation_id === null ? [] : [{ key: `waits:${id}`, kind: 'waits', conversation_id }]
  })
  if (before.runs === after.runs) return waits
  const ended = [...after.runs.values()].flatMap((run): Notice[] => {
    const earlier = before.runs.get(run.run_id)
    if (!earlier || (earlier.state !== 'running' && earlier.state !== 'paused')) return []
    if (needsUser(run) && !needsUser(earlier)) {
      const conversation_id = placeOfRun(after, run.run_id) ?? run.conversation_id
      return [{ key: `stopped:${run.run_id}:${run.updated_at}`, kind: 'stopped', conversation_id }]
    }
    const kind = ends[run.state]
    if (!kind || earlier.state === run.state) return []
    if (run.team && run.team.root_run_id !== run.run_id) return []
    return [{ key: `${kind}:${run.run_id}:${run.updated_at}`, kind, conversation_id: run.conversation_id }]
  })
  return [...waits, ...ended]
}
