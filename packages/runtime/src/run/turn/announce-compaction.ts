// Before a part of a conversation is compacted, listeners are notified of that part, while the model still has all of it.
import type { DeliveryResult, WaitLimit } from '../../event/lifecycle/deliverer.ts'
import type { RunRecord } from '../../journal/run-record.ts'
import type { LoopPorts } from '../ports.ts'
import type { Entry, Position } from './transcript.ts'

type Announcing = Pick<LoopPorts, 'store' | 'journal' | 'lifecycle' | 'log'>

/**
 * Resolves when every listener has processed the range, one has failed, or the limit is reached; a late listener finishes with the recorded
 * range. The loop limits the wait. A compaction requested by a user waits without a limit. Never rejects.
 */
export async function announceCompaction(
  ports: Announcing,
  run: RunRecord,
  old: readonly Entry[],
  limit: WaitLimit,
): Promise<DeliveryResult> {
  const { run_id, conversation_id, agent_id } = run
  const range = rangeOf(old, (no) => ports.journal.runsOf(run.conversation).find((one) => one.no === no)?.run_id ?? run_id)
  if (!range) return 'heard'
  try {
    const data = { run_id, conversation_id, agent_id, range }
    return await ports.lifecycle.hear({ event: 'before_compaction', event_id: ports.store.newId(), data }, limit)
  } catch (error) {
    ports.log(`before the compaction of run ${run_id}: ${String(error)}`)
    return 'failed'
  }
}

/** From the first entry that is not itself a summary to the last. Null if there is none. */
export function rangeOf(old: readonly Entry[], runOf: (no: number) => string) {
  const said = old.filter(({ kind }) => kind !== 'summary')
  const [first, last] = [said.at(0), said.at(-1)]
  if (!first || !last) return null
  const place = ({ run, seq }: Position) => ({ run_id: runOf(run), seq })
  return { from: place(first.at), through: place(last.at) }
}
