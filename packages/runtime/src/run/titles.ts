// The title of a run, and the title of its conversation before it.
import { type ConversationRecord, untitled } from '../journal/conversations.ts'
import type { RunRecord } from '../journal/run-record.ts'
import type { NewStep } from '../journal/step.ts'
import { maskSecrets } from '../memory/rule/secret/secrets.ts'

/** What was set before the first run, and has no other way to reach the other devices. Without it they show the title of the run. */
export function settingsBeforeFirstRun({ title, hidden, pinned }: ConversationRecord, run: RunRecord): NewStep[] {
  return [
    ...(title === untitled || title === run.title ? [] : [{ kind: 'conversation.renamed' as const, title }]),
    ...(hidden ? [{ kind: 'conversation.hidden' as const, hidden }] : []),
    ...(pinned ? [{ kind: 'conversation.pinned' as const, pinned }] : []),
  ]
}

/** A secret in the first lines may be much longer than a title, and must not be shown in part. */
const searched = 4_000

/** In the words of the message, without secrets: a title is shown in lists, notifications and on other devices. */
export function titleOf(text: string): string {
  const line = maskSecrets(text.trim().slice(0, searched)).split('\n', 1)[0]?.trim() || 'Untitled'
  return line.length <= 100 ? line : `${line.slice(0, 99)}…`
}
