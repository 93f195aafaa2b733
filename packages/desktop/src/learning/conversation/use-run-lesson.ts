import type { CommandResult } from '@tandem/contract/command'
import { useEffect, useState } from 'react'
import { useRuntimeClient, useWindowState } from '../../client/use-client.ts'
import { useNewestEventNumber } from '../../client/use-request.ts'
import { candidateEvents, learningEvents } from '../learning-events.ts'

export type RunLesson = CommandResult<'learning_of_run'>

/** Of runs that were in view: rows leave and return while the user scrolls. */
const known = new Map<string, RunLesson>()
const mostKnown = 500

/** Null until it was in view and read. Read again when something was learned from the run, or a candidate changed. */
export function useRunLesson(run_id: string, isInView: boolean): RunLesson | null {
  const { channel } = useRuntimeClient()
  const isOnline = useWindowState((state) => state.connection === 'online')
  const learned = useNewestEventNumber(learningEvents, run_id)
  const changed = useNewestEventNumber(candidateEvents)
  const [, setRead] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was learned or changed is read again.
  useEffect(() => {
    if (!isInView || !isOnline) return
    let isWanted = true
    void channel.call('learning_of_run', { run_id }).then((answer) => {
      // A run whose lesson cannot be read has no line.
      if (!answer.ok || !isWanted) return
      known.delete(run_id)
      known.set(run_id, answer.value)
      for (const oldest of known.keys()) if (known.size > mostKnown) known.delete(oldest)
      setRead((count) => count + 1)
    })
    return () => {
      isWanted = false
    }
  }, [channel, run_id, isInView, isOnline, learned, changed])
  return known.get(run_id) ?? null
}

/** Whether there is more to tell than that it went well. */
export function isTelling({ evaluation, reflection, patterns, writeback_candidates, policy_candidates }: RunLesson): boolean {
  if (evaluation === null) return false
  const proposals = writeback_candidates.length + policy_candidates.length
  return evaluation.verdict !== 'success' || patterns.length + proposals > 0 || reflection?.recommended_workflow_extraction != null
}
