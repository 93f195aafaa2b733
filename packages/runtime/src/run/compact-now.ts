// A compaction that the user asks for, between runs.
import { contextWindowOf } from '../model/context-window.ts'
import type { ActiveRun } from './active-run.ts'
import type { LoopPorts } from './ports.ts'
import { compactConversation } from './turn/compact-conversation.ts'
import { estimateTokens } from './turn/tokens.ts'
import { toMessages } from './turn/transcript.ts'

/** With nothing to compact, the numbers are equal and the summary is empty. */
export interface Compacted {
  readonly tokens_before: number
  readonly tokens_after: number
  readonly through_seq: number
  readonly summary: string
}

/** The attempt that keeps little: the user wants the context to be short. */
const thorough = 1

export async function compactNow(ports: LoopPorts, activeRun: ActiveRun): Promise<Compacted> {
  const run = activeRun.run()
  const serving = ports.modelFor(run.model)
  const window = serving ? await serving.window() : contextWindowOf(run.model, { setting: null, listed: null })
  const last = ports.journal.steps(run.run_id).at(-1)?.step.seq ?? 0
  const done = await compactConversation(
    ports,
    activeRun,
    serving?.model ?? null,
    { window, room: window },
    thorough,
    new AbortController().signal,
  )
  const step = ports.journal
    .steps(run.run_id, { after: last })
    .map((journaled) => journaled.step)
    .findLast((one) => one.kind === 'context.compacted')
  if (!done || step?.kind !== 'context.compacted') {
    const tokens = estimateTokens(toMessages(activeRun.transcript.entries(), { model: run.model }))
    return { tokens_before: tokens, tokens_after: tokens, through_seq: 0, summary: '' }
  }
  const { tokens_before, tokens_after, summary, seq } = step
  return { tokens_before, tokens_after, through_seq: seq, summary }
}
