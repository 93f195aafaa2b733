// What followed a failure: what the run spent because of it, and what helped. Pure.
import { type CallFact, isFailedCall, type RunFacts } from '../rule/run-facts.ts'
import type { Repair } from './repair.ts'
import { maskText } from './template.ts'

export interface Help {
  readonly summary: string
  readonly call_id: string
}

interface RepairedFailure {
  readonly seq: number
  readonly repair: Repair | null
}

/** By the share of calls after it; of a repaired failure, only the calls until then. */
export function costAfter(
  { seq, repair }: RepairedFailure,
  { calls, usage, duration_ms }: RunFacts,
): { tokens: number; milliseconds: number } {
  if (calls.length === 0) return { tokens: 0, milliseconds: 0 }
  const after = calls.filter((call) => call.seq > seq && (repair === null || call.seq <= repair.seq)).length
  const share = after / calls.length
  return { tokens: Math.round((usage.input_tokens + usage.output_tokens) * share), milliseconds: Math.round(duration_ms * share) }
}

const reading = /^(?:fs\.(?:read|list|search)|process\.list|time\.now|web\.|kb\.search|memory\.search|todo\.)/

/** The last change before the same call succeeded; null if it did not, or was only repeated. */
export function helpAfter({ seq, repair }: RepairedFailure, { calls }: Pick<RunFacts, 'calls'>): Help | null {
  if (repair === null) return null
  const between = calls.filter((call) => call.seq > seq && call.seq < repair.seq)
  const change = between.findLast((call) => call.outcome === 'succeeded' && !isFailedCall(call) && !reading.test(call.tool))
  if (change) return { summary: lineOf(change), call_id: change.call_id }
  const [failed, again] = [calls.find((call) => call.seq === seq), calls.find((call) => call.call_id === repair.call_id)]
  if (failed && again && failed.arguments !== again.arguments) return { summary: lineOf(again), call_id: again.call_id }
  return { summary: 'Ran it again', call_id: repair.call_id }
}

/** Commands are shown without names, numbers and paths; of other calls only the tool. */
function lineOf({ tool, arguments: json }: CallFact): string {
  const command = commandIn(json)
  return (command === null ? `Called ${tool}` : `Ran ${maskText(command)}`).slice(0, 300)
}

function commandIn(json: string): string | null {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || !('command' in value)) return null
    return typeof value.command === 'string' ? value.command : null
  } catch {
    // Arguments that are not JSON have no command.
    return null
  }
}
