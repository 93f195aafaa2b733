// What was shown of answers that were interrupted: no message was ever written for them.
import type { RunState } from '@tandem/contract/run'
import { timestamp } from '../clock/clock.ts'
import type { Store } from '../store/store.ts'
import { currentSteps } from './current-steps.ts'
import type { Journal } from './journal.ts'

export interface InterruptedText {
  readonly message_id: string
  readonly run_id: string
  readonly text: string
  readonly set_aside: boolean
  readonly created_at: string
  /** The message that it follows; 0 if it is the first one. */
  readonly after: number
}

interface StreamRow {
  readonly message_id: string
  readonly text: string
  readonly updated_at: number
}

type Ports = { readonly store: Pick<Store, 'sql'>; readonly journal: Pick<Journal, 'steps'> }

/** In the order of their runs. */
export function interruptedTexts({ store: { sql }, journal }: Ports, conversation: number): readonly InterruptedText[] {
  const runs = sql.all<{ no: number; run_id: string; state: RunState }>`
    SELECT no, run_id, state FROM runs WHERE conversation = ${conversation}
      AND (EXISTS (SELECT 1 FROM agent_run_steps WHERE run = runs.no AND kind = 'text.partial')
        OR EXISTS (SELECT 1 FROM streams WHERE run = runs.no)) ORDER BY run_id`
  return runs.flatMap((run) => [...textsOf(run).values()])

  function textsOf({ no, run_id, state }: { no: number; run_id: string; state: RunState }): ReadonlyMap<string, InterruptedText> {
    const stream = sql.get<StreamRow>`SELECT message_id, text, updated_at FROM streams WHERE run = ${no}`
    const steps = journal.steps(run_id)
    const standing = new Set(currentSteps(steps).map(({ step }) => step.seq))
    const texts = new Map<string, InterruptedText>()
    for (const { step } of steps) {
      if (step.kind !== 'text.partial' || isComplete(step.message_id)) continue
      const { message_id, text, ts, seq } = step
      // Each of its steps contains all of it so far.
      texts.set(message_id, { message_id, run_id, text, set_aside: !standing.has(seq), created_at: ts, after: before(message_id) })
    }
    if (!stream) return texts
    const { message_id, text, updated_at } = stream
    // Of a paused run, it becomes a step when the run continues.
    if (state === 'running' || text === '') texts.delete(message_id)
    else texts.set(message_id, { message_id, run_id, text, set_aside: false, created_at: timestamp(updated_at), after: before(message_id) })
    return texts
  }

  function isComplete(message_id: string): boolean {
    return sql.get`SELECT 1 FROM messages WHERE message_id = ${message_id}` !== undefined
  }

  /** Ids sort by creation time, and an answer has its id before its first word. */
  function before(message_id: string): number {
    const found = sql.get<{ no: number | null }>`
      SELECT max(no) AS no FROM messages WHERE conversation = ${conversation} AND message_id < ${message_id}`
    return found?.no ?? 0
  }
}
