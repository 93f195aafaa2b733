// A person approves every call of a tool that only reads, or changes only Tandem's own notes: it no longer asks.
import { neededApprovals, onlyReads } from './approved-rule.ts'
import { type CandidateRule, change, type Proposal, times } from './recommended.ts'
import { type CallHistory, groupBy, isApprovedByPerson, type RecordedCall } from './recorded-call.ts'

export const approvedReading: CandidateRule = {
  rule: 'approved_reading',
  propose: (history) => [...groupBy(history.calls, ({ tool }) => tool)].flatMap(([tool, calls]) => proposed(history, tool, calls) ?? []),
}

function proposed(history: CallHistory, tool: string, calls: readonly RecordedCall[]): Proposal | null {
  const { approval_mode } = history.policyOf(tool).policy
  if (approval_mode !== 'required' || !onlyReads(tool) || !calls.every(isReading)) return null
  const asked = calls.filter(({ answer }) => answer !== null)
  if (asked.length < neededApprovals || asked.some((call) => call.warned || call.edited || !isApprovedByPerson(call))) return null
  return {
    changes: [change(tool, 'approval_mode', approval_mode, 'auto')],
    title: `Let ${tool} run without asking, because it only reads and you approved it ${times(asked.length)} in a row.`,
    rationale: `You approved all ${asked.length} calls of ${tool}. It changes nothing but Tandem's own notes. Calls outside its scope are still refused.`,
    because: asked,
    needed: neededApprovals,
  }
}

/** Effects that are not known may be any. */
function isReading({ effects }: RecordedCall): boolean {
  return effects?.every(({ does }) => does === 'read' || does === 'note') ?? false
}
