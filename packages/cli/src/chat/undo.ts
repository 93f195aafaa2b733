// `/undo`: restores the newest recovery point of the conversation, after a preview.
import { previewAll } from '../command/restore.ts'
import { previewText } from '../command/restore-preview.ts'
import type { RuntimeClient } from '../runtime-client/runtime-client.ts'
import type { ChatScreen } from './screen.ts'
import type { ChatSession } from './session.ts'
import { painted } from './theme.ts'

export async function undoLast(client: RuntimeClient, { transcript, dialog }: ChatScreen, session: ChatSession): Promise<void> {
  const run_id = session.run?.run_id
  const points = run_id === undefined ? null : await client.call('agent_run_list_checkpoints', { run_id, limit: 1 })
  if (points && !points.ok) return session.reportProblem(points.error)
  const point = points?.value.items[0]
  if (run_id === undefined || !point) return transcript.note(painted('dim', 'There is nothing to undo: the last run changed no files.'))
  const { checkpoint_id } = point
  const seen = await previewAll(client, { run_id, checkpoint_id, background: 'none' })
  if (!seen.ok) return session.reportProblem(seen.error)
  transcript.note(previewText(seen.value))
  const sure = await dialog.choose('Restore this?', [
    { value: true, label: 'Restore', key: 'y' },
    { value: false, label: 'Cancel', key: 'n' },
  ])
  if (!sure) return transcript.note(painted('dim', 'Nothing was changed.'))
  const done = await client.call('agent_run_restore_checkpoint', {
    ...{ action: 'restore', run_id, checkpoint_id, on_conflict: 'stop', background: 'none', members: 'keep' },
  })
  if (!done.ok) return session.reportProblem(done.error)
  if (done.value.outcome !== 'restored') return
  const { counts, safety_checkpoint_id } = done.value
  const what = `Restored: ${counts.created} removed, ${counts.changed} reverted, ${counts.deleted} restored.`
  transcript.note(`${painted('green', '✓')} ${what} To undo this: tandem restore ${run_id} ${safety_checkpoint_id}`)
}
