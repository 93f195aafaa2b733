// Compaction as the loop does it: sum up what is old, with the model if it answers, and record it as a step.
import type { Model } from '../model/model.ts'
import { factsOf, plainSummary, split, summaryRequest, summaryText, type Window } from './compaction.ts'
import type { LoopPorts } from './ports.ts'
import type { Thread } from './thread.ts'
import { estimateTokens } from './tokens.ts'
import { type Entry, toMessages } from './transcript.ts'

/** False when there is nothing left to sum up. `attempt` counts the tries for one turn: the second keeps less. */
export async function makeRoom(
  ports: LoopPorts,
  thread: Thread,
  model: Model,
  window: Window,
  attempt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock } = ports.store
  const entries = thread.transcript.entries()
  const parts = split(entries, window, attempt)
  if (!parts) return false
  const began = clock.elapsed()
  const run = thread.run()
  await ports.hooks.beforeCompaction(run).catch((error: unknown) => ports.log(`before compaction: ${String(error)}`))
  const told = (await sumUp(model, run.model, parts.old, window, signal)) ?? plainSummary(parts.old)
  const summary = summaryText(told, {
    todos: ports.todos(run.conversation_id),
    openApprovals: ports.approvals.pending(run.no).map(({ prompt }) => `${prompt.tool} ${prompt.arguments}`),
    ...factsOf(parts.old),
  })
  const after: Entry[] = [{ at: parts.through, kind: 'summary', text: summary }, ...parts.recent]
  const tokens_before = estimateTokens(toMessages(entries))
  const tokens_after = estimateTokens(toMessages(after))
  // A summary that is no shorter than what it sums up helps nobody.
  if (tokens_after >= tokens_before) return false
  thread.append(
    { kind: 'context.compacted', tokens_before, tokens_after, summary },
    { through: parts.through, duration_ms: Math.round(clock.elapsed() - began) },
  )
  ports.passBy('context_compacted')
  return true
}

async function sumUp(model: Model, name: string, old: readonly Entry[], window: Window, signal: AbortSignal): Promise<string | null> {
  const messages = toMessages(fitting(old, window))
  const outcome = await model.turn({
    model: name,
    messages: [...messages, { role: 'user', content: summaryRequest }],
    tools: [],
    temperature: 0,
    signal,
    onText: () => undefined,
  })
  return outcome.ok && outcome.turn.text.trim() !== '' ? outcome.turn.text.trim() : null
}

/** The newest of the old that fits: a summary of something is better than an overflow. */
function fitting(old: readonly Entry[], window: Window): readonly Entry[] {
  const room = (window.tokens - window.reserved) * 0.8
  let from = old.length
  let taken = 0
  for (let index = old.length - 1; index >= 0; index -= 1) {
    const entry = old[index]
    if (!entry) break
    taken += estimateTokens(toMessages([entry]))
    if (taken > room) break
    if (entry.kind !== 'result') from = index
  }
  return old.slice(from)
}
