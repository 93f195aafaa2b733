// An agent repeats the same call with the same result: fewer calls in the same time, but never fewer than the other calls needed.
import { type CandidateRule, change, type Proposal, runs } from './recommended.ts'
import { type CallHistory, groupBy, type RecordedCall, runsOf } from './recorded-call.ts'

const needed = 5
const neededRuns = 2

export const repeatedCall: CandidateRule = {
  rule: 'repeated_call',
  propose: (history) => [...groupBy(history.calls, ({ tool }) => tool)].flatMap(([tool, calls]) => proposed(history, tool, calls) ?? []),
}

function proposed(history: CallHistory, tool: string, calls: readonly RecordedCall[]): Proposal | null {
  const repeated = repetitions(calls)
  if (runsOf([...repeated]) < neededRuns) return null
  const { rate_limit } = history.policyOf(tool).policy
  const others = peak(
    calls.filter((call) => !repeated.has(call)),
    rate_limit.per_seconds,
  )
  const limit = Math.max(needed, Math.ceil(others * 1.5))
  if (limit >= rate_limit.calls || peak(calls, rate_limit.per_seconds) <= limit) return null
  const because = calls.filter((call) => repeated.has(call))
  return {
    changes: [change(tool, 'rate_limit', rate_limit, { calls: limit, per_seconds: rate_limit.per_seconds })],
    title: `Limit ${tool} to ${limit} calls per ${rate_limit.per_seconds} s, because it was repeated with the same result in ${runs(runsOf(because))}.`,
    rationale: `${because.length} calls of ${tool} in ${runs(runsOf(because))} repeated an earlier call with the same result. All other calls of it needed at most ${others} in ${rate_limit.per_seconds} s.`,
    because,
    needed: needed * neededRuns,
  }
}

/** All calls after the first of a group of at least five in one run that asked for the same and got the same. */
export function repetitions(calls: readonly RecordedCall[]): ReadonlySet<RecordedCall> {
  const compared = calls.filter(({ result, started_at }) => result !== null && started_at !== null)
  const groups = groupBy(compared, ({ run_id, tool, key, result }) => `${run_id}\n${tool}\n${key}\n${result}`)
  return new Set([...groups.values()].flatMap((group) => (group.length < needed ? [] : group.slice(1))))
}

/** The most calls that started within the period. */
function peak(calls: readonly RecordedCall[], per_seconds: number): number {
  const started = calls.flatMap(({ started_at }) => started_at ?? []).toSorted((one, other) => one - other)
  let most = 0
  let from = 0
  for (const [at, time] of started.entries()) {
    while ((started[from] ?? time) <= time - per_seconds * 1_000) from += 1
    most = Math.max(most, at - from + 1)
  }
  return most
}
