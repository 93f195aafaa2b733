// Compaction in the loop: summarizes old messages, with the model if it responds, and records the summary as a step.
import type { Usage } from '@tandem/contract/run'
import { addUsage } from '../../journal/run-record.ts'
import { type ModelFailure, modelFailures } from '../../model/failure.ts'
import { withoutToolCalls } from '../../model/message.ts'
import type { Model } from '../../model/model.ts'
import type { ActiveRun } from '../active-run.ts'
import { summaryFailed } from '../failures.ts'
import type { LoopPorts } from '../ports.ts'
import { writeStatus } from '../status-messages.ts'
import { announceCompaction } from './announce-compaction.ts'
import { type ContextSpace, plainSummary, split, summaryRequest, summaryText } from './compaction.ts'
import { transcriptFacts } from './facts.ts'
import { estimateTokens } from './tokens.ts'
import { type Entry, toMessages, withoutKeptContent } from './transcript.ts'
import { fittingEntries } from './turn-request.ts'

export interface CompactionBudget {
  /** The whole context window. */
  readonly window: ContextSpace
  /** What the system prompt and the tools leave of it for the conversation. */
  readonly room: ContextSpace
}

/** False if there is nothing left to summarize. Without a model the summary lists what is known. `attempt` counts the attempts for one turn: the second keeps less. */
export async function compactConversation(
  ports: LoopPorts,
  activeRun: ActiveRun,
  model: Model | null,
  { window, room }: CompactionBudget,
  attempt: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock } = ports.store
  const entries = fittingEntries(activeRun.transcript.entries(), window)
  const parts = split(entries, room, attempt, activeRun.run().model)
  if (!parts) return false
  const began = clock.elapsed()
  const run = activeRun.run()
  const old = withoutKeptContent(parts.old)
  await announceCompaction(ports, run, parts.old, { within_ms: ports.compactionWait_ms(), signal })
  const summed =
    model &&
    (await sumUp(
      model,
      run.model,
      old,
      window,
      signal,
      (failure, attempt, duration_ms) => {
        const will_retry = willRetry(failure, attempt)
        const retry_in_ms = will_retry ? 0 : null
        const data = { model: run.model, turn: activeRun.progress().turn, attempt, will_retry, retry_in_ms, duration_ms }
        ports.events.emit('model_call_failed', { run }, data, summaryFailed(run.model, failure))
      },
      () => clock.elapsed(),
    ))
  const keepsContent = (call_id: string) => activeRun.progress().open.some((call) => call.call_id === call_id && call.leaves === 'ids')
  const facts = transcriptFacts(old, activeRun.transcript.summedUp())
  const known = {
    ...facts,
    // What stays verbatim need not be repeated.
    request: parts.recent.some(({ kind }) => kind === 'user') ? '' : facts.request,
    todos: ports.todos(run.conversation_id),
    openApprovals: ports.approvals
      .pending(run.no)
      .map(({ call_id, prompt }) => `${prompt.tool} ${keepsContent(call_id) ? '' : prompt.arguments}`.trim()),
  }
  const summary = summaryText(summed?.text ?? plainSummary(old), known, room)
  const after: Entry[] = [{ at: parts.through, kind: 'summary', text: summary }, ...parts.recent]
  const listener = { model: run.model }
  const tokens_before = estimateTokens(toMessages(entries, listener))
  const tokens_after = estimateTokens(toMessages(after, listener))
  // A summary that is not shorter than what it replaces is useless.
  if (tokens_after >= tokens_before) return false
  const duration_ms = Math.round(clock.elapsed() - began)
  ports.store.transaction(() => {
    activeRun.append(
      { kind: 'context.compacted', tokens_before, tokens_after, summary },
      { through: parts.through, duration_ms, ...(summed?.usage ? { usage: summed.usage } : {}) },
    )
    writeStatus(ports.journal, run, { kind: 'compacted' })
  })
  ports.crashPoint('context_compacted')
  return true
}

const tries = 2

/** Null if the model does not summarize: then a summary without a model is used. */
async function sumUp(
  model: Model,
  name: string,
  old: readonly Entry[],
  window: ContextSpace,
  signal: AbortSignal,
  failed: (failure: ModelFailure, attempt: number, duration_ms: number) => void,
  elapsed: () => number,
): Promise<{ readonly text: string; readonly usage: Usage | null } | null> {
  const messages = withoutToolCalls(toMessages(fitting(old, window)))
  let spent: Usage | null = null
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const began = elapsed()
    const outcome = await model.turn({
      model: name,
      messages: [...messages, { role: 'user', content: summaryRequest }],
      tools: [],
      temperature: 0,
      signal,
      onText: () => undefined,
    })
    const text = outcome.ok ? outcome.turn.text.trim() : ''
    // An empty answer has cost something, too.
    if (outcome.ok && outcome.turn.usage) spent = spent ? addUsage(spent, outcome.turn.usage) : outcome.turn.usage
    if (outcome.ok && text !== '') return { text, usage: spent }
    if (outcome.ok) continue
    failed(outcome.failure, attempt, Math.round(elapsed() - began))
    if (!willRetry(outcome.failure, attempt)) return null
  }
  return null
}

function willRetry({ code }: ModelFailure, attempt: number): boolean {
  return modelFailures[code].retryable && attempt < tries
}

/** All old entries, each truncated as much as necessary: a summary of nothing would be an invention. */
function fitting(old: readonly Entry[], window: ContextSpace): readonly Entry[] {
  const room = (window.tokens - window.reserved) * 0.7
  for (let longest = 16_000; longest >= 200; longest /= 2) {
    const cut = old.map((entry) => shortened(entry, longest))
    if (estimateTokens(toMessages(cut)) <= room) return cut
  }
  // Too many entries for even their beginnings to fit: use the first and the newest.
  const [first, ...rest] = old.map((entry) => shortened(entry, 200))
  const newest: Entry[] = []
  let taken = first ? estimateTokens(toMessages([first])) : 0
  for (const entry of rest.toReversed()) {
    taken += estimateTokens(toMessages([entry]))
    if (taken > room) break
    newest.unshift(entry)
  }
  return [...(first ? [first] : []), ...newest]
}

function shortened(entry: Entry, longest: number): Entry {
  const cut = (text: string) => (text.length <= longest ? text : `${text.slice(0, longest)} […]`)
  if (entry.kind === 'user') return { at: entry.at, kind: 'user', text: cut(entry.text) }
  if (entry.kind !== 'assistant') return { ...entry, text: cut(entry.text) }
  const calls = entry.calls.map((call) => ({
    ...call,
    function: { ...call.function, arguments: shortArguments(call.function.arguments, longest) },
  }))
  return { ...entry, text: cut(entry.text), calls }
}

/** Providers parse arguments as JSON: truncated arguments must still be JSON. */
function shortArguments(text: string, longest: number): string {
  return text.length <= longest ? text : JSON.stringify({ beginning: text.slice(0, longest) })
}
