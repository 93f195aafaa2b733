// A tool of which every call fails, in many runs: it is disabled, or asks first.
import { type CandidateRule, change, type Proposal, runs } from './recommended.ts'
import { type CallHistory, groupBy, type RecordedCall, runsOf } from './recorded-call.ts'

const neededRuns = 5

export const failingTool: CandidateRule = {
  rule: 'failing_tool',
  propose: (history) => [...groupBy(history.calls, ({ tool }) => tool)].flatMap(([tool, calls]) => proposed(history, tool, calls) ?? []),
}

function proposed(history: CallHistory, tool: string, calls: readonly RecordedCall[]): Proposal | null {
  // Of a call that was canceled or interrupted it is not known how it would have ended.
  const ended = calls.filter(({ outcome }) => outcome !== 'canceled' && outcome !== 'interrupted')
  const failed = ended.filter(({ outcome }) => outcome === 'failed' || outcome === 'timed_out')
  if (failed.length < ended.length || runsOf(failed) < neededRuns) return null
  // The person would be asked about calls that fail until something else is set up, or is back.
  if (failed.every(isRepairedElsewhere)) return null
  const { enabled, approval_mode } = history.policyOf(tool).policy
  const reasons = new Set(failed.map(({ reason_code, stage }) => `${stage} ${reason_code}`))
  const because = `because all ${failed.length} calls of it failed, in ${runs(runsOf(failed))}`
  const rationale = `All ${failed.length} recorded calls of ${tool} failed, in ${runs(runsOf(failed))} (${reasonsText(failed)}). None succeeded.`
  const found = { rationale, because: failed, needed: neededRuns }
  if (enabled && reasons.size === 1 && failed.every(isForGood))
    return { ...found, changes: [change(tool, 'enabled', true, false)], title: `Disable ${tool}, ${because}.` }
  if (enabled && approval_mode === 'auto')
    return {
      ...found,
      changes: [change(tool, 'approval_mode', approval_mode, 'required')],
      title: `Ask before each call of ${tool}, ${because}.`,
    }
  return null
}

/**
 * It is in the tool, and neither time nor the user can repair it elsewhere: a tool that is disabled is not tried again, so no one would notice
 * that a search provider was set up or that a server is back.
 */
function isForGood({ stage, recoverability }: RecordedCall): boolean {
  if (recoverability === null || isRepairedElsewhere({ recoverability })) return false
  return stage === 'tool_execution' || stage === 'mcp'
}

function isRepairedElsewhere({ recoverability }: Pick<RecordedCall, 'recoverability'>): boolean {
  return recoverability === 'user_action' || recoverability === 'retryable'
}

const mostReasons = 5

function reasonsText(failed: readonly RecordedCall[]): string {
  const counted = [...groupBy(failed, ({ reason_code }) => reason_code ?? 'unknown')].map(([reason, calls]) => `${reason}: ${calls.length}`)
  return counted.slice(0, mostReasons).join(', ')
}
