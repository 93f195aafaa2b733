// The title of a run, and the title of its conversation before it.
import { type ConversationRecord, untitled } from '../journal/conversations.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { NewStep } from '../journal/step.ts'

/** What was set before the first run, and has no other way to reach the other devices. Without it they show the title of the run. */
export function settingsBeforeFirstRun({ title, hidden, pinned }: ConversationRecord, run: RunRecord): NewStep[] {
  return [
    ...(title === untitled || title === run.title ? [] : [{ kind: 'conversation.renamed' as const, title }]),
    ...(hidden ? [{ kind: 'conversation.hidden' as const, hidden }] : []),
    ...(pinned ? [{ kind: 'conversation.pinned' as const, pinned }] : []),
  ]
}

export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() || 'Untitled'
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`
}
