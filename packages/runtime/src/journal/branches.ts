// Branches: a conversation that continues from a point of another one. Its history is read there, as it was at that point; nothing is copied.
import type { BranchPoint } from '@tandem/contract/run'
import { currentSteps } from './current-steps.ts'
import type { Journal } from './journal.ts'
import type { JournaledStep } from './recorded-step.ts'
import type { RunRecord } from './run-record.ts'

export interface HistoryRun {
  readonly run: RunRecord
  readonly steps: readonly JournaledStep[]
}

type BranchPorts = Pick<Journal, 'conversations' | 'run' | 'runsOf' | 'steps'>

/** What a branch has before its first run, oldest first. What another device has not sent yet is left out. */
export function historyBefore(
  journal: BranchPorts,
  branch: BranchPoint | null,
  seen: ReadonlySet<string> = new Set(),
): readonly HistoryRun[] {
  const cut = branch && journal.run(branch.run_id)
  const conversation = branch && journal.conversations.get(branch.conversation_id)
  // Another device could have sent a branch of itself.
  if (!cut || !conversation || seen.has(conversation.conversation_id) || cut.conversation !== conversation.no) return []
  const steps = journal.steps(cut.run_id)
  const at = steps.find(({ step }) => step.seq >= branch.seq) ?? steps.at(-1)
  const earlier = inOrder(journal, conversation.no).filter(({ run_id }) => run_id < cut.run_id)
  return [
    ...historyBefore(journal, conversation.branch, new Set([...seen, conversation.conversation_id])),
    // A later restore in the other conversation does not change what the branch continues from.
    ...earlier.map((run) => ({ run, steps: currentSteps(journal.steps(run.run_id).filter(({ step }) => !at || step.ts <= at.step.ts)) })),
    { run: cut, steps: currentSteps(steps.filter(({ step }) => step.seq < branch.seq)) },
  ]
}

/** Where a branch from a message begins; null for a message that no run has received. The same place always has the same point. */
export function branchPointOf(
  journal: BranchPorts,
  { message_id, conversation }: { readonly message_id: string; readonly conversation: number },
  keep: 'before' | 'through',
): BranchPoint | null {
  const runs = inOrder(journal, conversation)
  const { conversation_id, branch } = journal.conversations.at(conversation) ?? { conversation_id: '', branch: null }
  for (const [index, { run_id }] of runs.entries()) {
    const steps = journal.steps(run_id).map(({ step }) => step)
    const step = steps.find((one) => isOf(one, message_id))
    if (!step) continue
    // A branch at the start of a branch parts from where that one does.
    if (keep === 'before' && index === 0 && step.kind === 'run.started' && branch) return branch
    if (keep === 'before') return { conversation_id, run_id, seq: step.seq }
    const next = steps.find(({ seq, kind }) => seq > step.seq && shownKinds.has(kind))
    const later = runs[index + 1]
    return next || !later ? { conversation_id, run_id, seq: next?.seq ?? step.seq + 1 } : { conversation_id, run_id: later.run_id, seq: 0 }
  }
  return null
}

/** Runs of other devices may arrive in any order; their ids sort by creation time. */
function inOrder(journal: BranchPorts, conversation: number): readonly RunRecord[] {
  return journal.runsOf(conversation).toSorted((one, other) => (one.run_id < other.run_id ? -1 : 1))
}

const shownKinds: ReadonlySet<JournaledStep['step']['kind']> = new Set([
  'model.called',
  'message.received',
  'tool.call',
  'team.message',
  'message.completed',
])

function isOf(step: JournaledStep['step'], message_id: string): boolean {
  return (
    (step.kind === 'run.started' || step.kind === 'message.completed' || step.kind === 'message.received') && step.message_id === message_id
  )
}
