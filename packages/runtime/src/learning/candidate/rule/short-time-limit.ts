// A command is stopped by its time limit again and again, and succeeds when it has more time: after a person has raised the limit, or
// when it is left running in the background, which the limit does not end.
import { type CandidateRule, change, type Proposal, shown, times } from './recommended.ts'
import { type CallHistory, commandOf, groupBy, isCutOff, type RecordedCall, successMs } from './recorded-call.ts'

const needed = 3
const longest_seconds = 86_400

export const shortTimeLimit: CandidateRule = {
  rule: 'short_time_limit',
  propose(history) {
    const groups = groupBy(history.calls, taskOf)
    return [...groups.values()].flatMap((group) => proposed(history, group) ?? [])
  },
}

/** The same command may be given another time limit in its arguments, or be left running. */
function taskOf(call: RecordedCall): string {
  const command = commandOf(call)
  return command === null ? `${call.tool}\n${call.key}` : `${call.tool}\n${command.cwd}\n${command.command}`
}

function proposed(history: CallHistory, calls: readonly RecordedCall[]): Proposal | null {
  const [first] = calls
  const succeeded = calls.findLast((call) => successMs(call) !== null)
  const took_ms = succeeded ? successMs(succeeded) : null
  if (!first || !succeeded || took_ms === null) return null
  const stopped = calls.slice(0, calls.indexOf(succeeded)).filter((call) => isCutOff(call) && call.duration_ms < took_ms)
  if (stopped.length < needed) return null
  const { tool } = first
  const { time_limit } = history.policyOf(tool).policy
  const seconds = Math.min(longest_seconds, Math.ceil((took_ms * 1.5) / 1_000))
  if (seconds <= time_limit.seconds || took_ms <= time_limit.seconds * 1_000) return null
  const [took, name] = [Math.ceil(took_ms / 1_000), shown(commandOf(first)?.command ?? tool)]
  const how = succeeded.background ? 'Left running in the background' : 'With more time'
  return {
    changes: [change(tool, 'time_limit', time_limit, { seconds })],
    title: `Give ${tool} ${seconds} s instead of ${time_limit.seconds} s, because ${name} was stopped ${times(stopped.length)} and then succeeded in ${took} s.`,
    rationale: `${name} was stopped by the time limit of ${tool} ${times(stopped.length)}. ${how}, it succeeded after ${took} s.`,
    because: [...stopped, succeeded],
    needed: needed + 1,
  }
}
